import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface DialogProps {
  title: string;
  /** Asked to close: Escape, the cross, or a click beside it. */
  onClose: () => void;
  /** Wide enough for a calendar. */
  wide?: boolean;
  children: ReactNode;
}

/**
 * A window over the page, open for as long as it is rendered. The browser keeps the focus inside
 * and gives it back.
 */
export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  // Closed while it is still on the page: afterwards the focus could not go back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={`m-auto max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] overflow-y-auto rounded-xl border border-line bg-paper p-0 text-ink backdrop:bg-[#171412]/60 ${wide ? 'max-w-5xl' : 'max-w-xl'}`}
      onCancel={(event) => {
        // Closing is what our owner does, by no longer rendering us. Files that are chosen cancel too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="p-5 sm:p-6">
        <div className="mb-5 flex items-start justify-between gap-4">
          <h2 id={id} className="pt-1.5 text-2xl wrap-anywhere">
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
