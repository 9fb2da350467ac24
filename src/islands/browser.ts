import { type MouseEvent as ReactMouseEvent, useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => {};

/**
 * False on the server and during React's hydration, then true. Use it for values that only the
 * browser knows, such as its time zone or the current day.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}

/** For scrolling by a script: people who want less motion see none. */
export function scrollBehavior(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
}

/** Calls back when the browser restores the page from its back/forward cache. */
export function onBfcacheRestore(callback: () => void): () => void {
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) callback();
  };
  window.addEventListener('pageshow', onPageShow);
  return () => window.removeEventListener('pageshow', onPageShow);
}

/** Prevents the navigation of a plain click, not of one that opens a new tab or window. */
export function interceptPlainClick(event: ReactMouseEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  event.preventDefault();
  return true;
}

/** Whether this browser can use passkeys on this page. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === 'function';
}
