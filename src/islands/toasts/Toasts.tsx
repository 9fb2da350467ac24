import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import {
  $toasts,
  closeNewestToast,
  closeToast,
  holdToast,
  releaseToast,
  type Toast,
} from '#stores/toasts.ts';

/** The messages in the corner; the regions that read them out are there before they come. */
export function Toasts() {
  const toasts = useStore($toasts);
  useEffect(() => {
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented) closeNewestToast();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const ofKind = (kind: Toast['kind']) => toasts.filter((toast) => toast.kind === kind);
  return (
    <>
      {/* Room below the page, so that on a phone an error, which stays, covers no button. */}
      {ofKind('error').length > 0 && <div aria-hidden="true" className="h-48 sm:hidden" />}
      <div className="pointer-events-none fixed right-4 bottom-4 left-4 z-50 grid justify-items-end sm:left-auto">
        <div role="status" className="grid w-full justify-items-end sm:w-96">
          {ofKind('success').map((toast) => (
            <ToastCard key={toast.id} {...toast} />
          ))}
        </div>
        <div role="alert" className="grid w-full justify-items-end sm:w-96">
          {ofKind('error').map((toast) => (
            <ToastCard key={toast.id} {...toast} />
          ))}
        </div>
      </div>
    </>
  );
}

function ToastCard({ id, kind, title, text }: Toast) {
  const isError = kind === 'error';
  return (
    <article
      className={`card pointer-events-auto mt-2 flex w-full items-start gap-3 border-l-4 py-2 pr-2 pl-4 shadow-lg ${
        isError ? 'border-l-danger' : 'border-l-success'
      }`}
      onPointerEnter={() => holdToast(id)}
      onPointerLeave={() => releaseToast(id)}
      onFocus={() => holdToast(id)}
      onBlur={() => releaseToast(id)}
    >
      <div className="min-w-0 flex-1 py-2">
        <p className={`font-semibold ${isError ? 'text-danger' : 'text-success'}`}>{title}</p>
        <p className="mt-0.5">{text}</p>
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
