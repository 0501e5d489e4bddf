/** A dialog over the page: Escape closes it, the focus stays inside. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../words";
import { Sign } from "./sign";

interface DialogProps {
  title: string;
  close: () => void;
  wide?: boolean;
  children: ComponentChildren;
}

export function Dialog({ title, close, wide = false, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    if (dialog && !dialog.open) dialog.showModal();
  }, []);
  return (
    <dialog
      ref={box}
      class={wide ? "wide" : ""}
      onClose={close}
      aria-label={title}
      onClick={(event) => event.target === box.current && close()}
    >
      <div class="dialog-body">
        <header>
          <h2>{title}</h2>
          <button type="button" class="quiet" aria-label={t("close")} onClick={close}>
            <Sign name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
