/** Makes a drawn shape a button: click, Enter and space press it. */

interface Pressable {
  role: "button";
  tabIndex: 0;
  "aria-label": string;
  "data-action"?: number;
  onClick: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

export function pressable(label: string, press: () => void, action?: number): Pressable {
  return {
    role: "button",
    tabIndex: 0,
    "aria-label": label,
    "data-action": action,
    onClick: press,
    onKeyDown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      press();
    },
  };
}
