/** Light, dark, or as the system says. */

import { keepTheme, theme } from "./memory";

const THEMES = ["system", "light", "dark"];

export function applyTheme(): string {
  const chosen = theme();
  const root = document.documentElement;
  if (chosen === "system") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", chosen);
  return chosen;
}

export function nextTheme(): string {
  keepTheme(THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]!);
  return applyTheme();
}
