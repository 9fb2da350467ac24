import { useStore } from '@nanostores/react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import {
  $toasts,
  closeNewestToast,
  closeToast,
  showToastFromLastPage,
  startToastTimer,
  stopToastTimer,
  type Toast,
} from '#stores/toasts.ts';

/** Pixels between the end of the page and the toasts. */
const GAP = 12;

/** The button or link that a new toast is about. Not the focused one: Safari does not focus on a click. */
let lastClicked: Element | null = null;

/**
 * Short messages in the corner, never over the button that they are about: the page scrolls it out
 * from under them, and a bar at the bottom of the screen lifts them (`--bar-height`). The live regions
 * are always rendered: screen readers announce only text that is added to an existing region.
 * @param aboveBar leaves room for a navigation bar at the bottom of a phone's screen
 */
export function Toasts({ aboveBar = false }: { aboveBar?: boolean }) {
  const toasts = useStore($toasts);
  const region = useRef<HTMLDivElement>(null);
  const room = useRef<HTMLDivElement>(null);
  useEffect(showToastFromLastPage, []);
  useLayoutEffect(() => {
    if (!region.current || !room.current) return;
    const { top, left, bottom } = region.current.getBoundingClientRect();
    const height = toasts.length > 0 ? `${innerHeight - top + GAP}px` : '';
    room.current.style.height = height;
    // Keeps fields that get the focus by the keyboard above the toasts.
    document.documentElement.style.scrollPaddingBottom = height;
    // A button of a closed dialog is gone; then the focus is on the button that opened the dialog.
    const subject = lastClicked?.isConnected
      ? lastClicked
      : document.activeElement?.closest('button, a');
    const button = subject?.getBoundingClientRect();
    if (button && button.bottom > top && button.top < bottom && button.right > left)
      subject?.scrollIntoView({ block: 'nearest' });
  }, [toasts]);
  useEffect(() => {
    const onKeyDown = ({ key, defaultPrevented }: KeyboardEvent) => {
      // Escape closes an open dialog or menu first. `:is` ignores a selector that the browser does not know.
      const isOverlayOpen = document.querySelector('dialog[open], :is(:popover-open)') !== null;
      if (key === 'Escape' && !defaultPrevented && !isOverlayOpen) closeNewestToast();
    };
    const onClick = ({ target }: Event) => {
      if (target instanceof Element) lastClicked = target.closest('button, a');
    };
    document.addEventListener('keydown', onKeyDown);
    // Captured, so that it is known before the button's own code runs.
    document.addEventListener('click', onClick, true);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('click', onClick, true);
    };
  }, []);
  const cardsOfKind = (kind: Toast['kind']) =>
    toasts
      .filter((toast) => toast.kind === kind)
      .map((toast) => <ToastCard key={toast.id} {...toast} />);
  return (
    <>
      {/* Room below the page, so that all of it can be scrolled out from under the toasts. */}
      <div ref={room} aria-hidden="true" hidden={toasts.length === 0} />
      <div
        ref={region}
        className={`pointer-events-none fixed right-4 left-4 z-50 grid grid-cols-1 justify-items-end sm:left-auto ${aboveBar ? 'bottom-[calc(5rem+var(--bar-height,0px))] lg:bottom-[calc(1rem+var(--bar-height,0px))]' : 'bottom-[calc(1rem+var(--bar-height,0px))]'}`}
      >
        <div role="status" className="grid w-full grid-cols-1 justify-items-end sm:w-96">
          {cardsOfKind('success')}
        </div>
        <div role="alert" className="grid w-full grid-cols-1 justify-items-end sm:w-96">
          {cardsOfKind('error')}
        </div>
      </div>
    </>
  );
}

function ToastCard({ id, kind, title, text, action, link }: Toast) {
  const isError = kind === 'error';
  return (
    <article
      className={`card pointer-events-auto mt-2 flex w-full items-start gap-3 border-l-4 py-2 pr-2 pl-4 raised ${
        isError ? 'border-l-danger' : 'border-l-success'
      }`}
      onPointerEnter={() => stopToastTimer(id)}
      onPointerLeave={() => startToastTimer(id)}
      onFocus={() => stopToastTimer(id)}
      onBlur={() => startToastTimer(id)}
    >
      <div className="min-w-0 flex-1 py-2 wrap-anywhere">
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
