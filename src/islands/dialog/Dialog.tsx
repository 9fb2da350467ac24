import { useId, useLayoutEffect, useRef } from 'react';
import type { Elements } from '../elements.ts';

/** The fields into which people type, or of which they choose one value. */
const FIELDS = 'input:not([type=file], [type=radio], [type=checkbox]), select, textarea';

/** Checkboxes, and the chosen ones of radio buttons. */
const CHOICES = 'input:checked, [type=checkbox]';

interface DialogProps {
  title: string;
  /** Called on Escape, the close button or a click outside: the owner should stop rendering the dialog. */
  onClose: () => void;
  /** Wide enough for a calendar; on a phone as high as the screen, so that loading moves no button. */
  wide?: boolean;
  /** For contents that cannot be shown again: a tap outside, such as the second of a double tap, changes nothing. */
  closesOutside?: boolean;
  children: Elements;
}

/**
 * A modal dialog, open while it is rendered. The browser traps the focus and restores it on close. The first
 * field gets the focus; without fields and choices the last button gets it, which must then change nothing.
 */
export function Dialog({ title, onClose, wide, closesOutside = true, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  // A layout effect closes it while it is still in the document: later the focus is not restored.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    const stop = element && keepFocusOnFirst(element);
    return () => {
      stop?.();
      element?.close();
    };
  }, []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={`m-auto max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] overflow-y-auto rounded-xl border border-line bg-paper p-0 text-ink backdrop:bg-[#171412]/60 ${wide ? 'max-w-5xl max-sm:h-full' : 'max-w-xl'}`}
      onCancel={(event) => {
        // A file input inside the dialog also sends `cancel`, which bubbles up to here.
        if (event.target !== event.currentTarget) return;
        // Only the owner closes the dialog, by no longer rendering it.
        event.preventDefault();
        onClose();
      }}
      // After repeated Escape, browsers close a dialog although `cancel` was prevented.
      onClose={({ target, currentTarget }) => {
        if (target === currentTarget && !currentTarget.open) reopen(currentTarget);
      }}
      onPointerDown={(event) => {
        if (closesOutside && event.target === event.currentTarget) onClose();
      }}
    >
      {/* A grid: in a column of flexbox WebKit counts the height of a legend twice until the first press. */}
      <div className="grid min-h-full grid-cols-1 grid-rows-[auto_1fr] p-5 sm:p-6">
        <div className="mb-5 flex items-start justify-between gap-4">
          <h2 id={id} tabIndex={-1} className="pt-1.5 text-2xl wrap-anywhere">
            {title}
          </h2>
          <button
            type="button"
            aria-label="Close"
            className="-mt-1 -mr-2 grid size-11 shrink-0 cursor-pointer place-items-center rounded-md text-2xl leading-none text-muted hover:text-ink"
            onClick={onClose}
          >
            <span aria-hidden="true">×</span>
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

/**
 * Focuses the first field; without fields, the first choice, the last button or the title, in this order. The
 * browser would focus the close button. Until the user does something in the dialog, a field that becomes the
 * first one later, such as one of a form that was still loading, gets the focus too.
 * @returns a function that stops this
 */
function keepFocusOnFirst(dialog: HTMLDialogElement): () => void {
  const find = (selector: string) =>
    [...dialog.querySelectorAll<HTMLElement>(selector)].filter((one) => !one.closest('[hidden]'));
  let focused: HTMLElement | undefined;
  const focus = () => {
    // The user has moved the focus: screen readers and the arrows of a phone's keyboard send no key event.
    if (focused?.isConnected && document.activeElement !== focused) return;
    focused = find(FIELDS)[0] ?? find(CHOICES)[0] ?? find('.button').at(-1) ?? find('h2')[0];
    focused?.focus();
  };
  focus();
  const observer = new MutationObserver(focus);
  observer.observe(dialog, { childList: true, subtree: true, attributeFilter: ['hidden'] });
  const stop = () => observer.disconnect();
  for (const eventName of ['keydown', 'pointerdown', 'input'])
    dialog.addEventListener(eventName, stop, { once: true });
  return stop;
}

/** Opens a dialog again, then those inside it, so that they stay above it. */
function reopen(dialog: HTMLDialogElement): void {
  for (const each of [dialog, ...dialog.querySelectorAll('dialog')]) {
    each.close();
    each.showModal();
  }
}
