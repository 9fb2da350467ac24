import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import {
  $toasts,
  closeNewestToast,
  closeToast,
  showToastFromLastPage,
  startToastTimer,
  stopToastTimer,
  type Toast,
} from '#stores/toasts.ts';

/**
 * Short messages in the corner. The live regions are always rendered: screen readers announce
 * only text that is added to an existing region.
 * @param aboveBar leaves room for a navigation bar at the bottom of a phone's screen
 */
export function Toasts({ aboveBar = false }: { aboveBar?: boolean }) {
  const toasts = useStore($toasts);
  useEffect(showToastFromLastPage, []);
  useEffect(() => {
    const onKeyDown = ({ key, defaultPrevented }: KeyboardEvent) => {
      // Escape closes an open dialog or menu first.
      const isOverlayOpen = document.querySelector('dialog[open], :popover-open') !== null;
      if (key === 'Escape' && !defaultPrevented && !isOverlayOpen) closeNewestToast();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  const cardsOfKind = (kind: Toast['kind']) =>
    toasts
      .filter((toast) => toast.kind === kind)
      .map((toast) => <ToastCard key={toast.id} {...toast} />);
  const errors = cardsOfKind('error');
  return (
    <>
      {/* Extra room below the page on phones: an error stays open and must not cover a button. */}
      {errors.length > 0 && <div aria-hidden="true" className="h-48 sm:hidden" />}
      <div
        className={`pointer-events-none fixed right-4 left-4 z-50 grid justify-items-end sm:left-auto ${aboveBar ? 'bottom-20 lg:bottom-4' : 'bottom-4'}`}
      >
        <div role="status" className="grid w-full justify-items-end sm:w-96">
          {cardsOfKind('success')}
        </div>
        <div role="alert" className="grid w-full justify-items-end sm:w-96">
          {errors}
        </div>
      </div>
    </>
  );
}

function ToastCard({ id, kind, title, text, action, link }: Toast) {
  const isError = kind === 'error';
  return (
    <article
      className={`card pointer-events-auto mt-2 flex w-full items-start gap-3 border-l-4 py-2 pr-2 pl-4 shadow-lg ${
        isError ? 'border-l-danger' : 'border-l-success'
      }`}
      onPointerEnter={() => stopToastTimer(id)}
      onPointerLeave={() => startToastTimer(id)}
      onFocus={() => stopToastTimer(id)}
      onBlur={() => startToastTimer(id)}
    >
      <div className="min-w-0 flex-1 py-2">
        <p className={`font-semibold ${isError ? 'text-danger' : 'text-success'}`}>{title}</p>
        <p className="mt-0.5">{text}</p>
        {action && (
          <button
            type="button"
            className="link -mb-2 inline-flex min-h-11 cursor-pointer items-center"
            onClick={() => {
              closeToast(id);
              action.run();
            }}
          >
            {action.label}
          </button>
        )}
        {link && (
          <a
            href={link.href}
            className={`link -mb-2 inline-flex min-h-11 items-center ${action ? 'ml-6' : ''}`}
          >
            {link.label}
          </a>
        )}
      </div>
      <button
        type="button"
        aria-label={`Close: ${title}`}
        className="grid size-11 shrink-0 cursor-pointer place-items-center rounded-md text-2xl leading-none text-muted hover:text-ink"
        onClick={() => closeToast(id)}
      >
        <span aria-hidden="true">×</span>
      </button>
    </article>
  );
}
