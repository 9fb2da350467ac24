import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * False on the server and while React takes the page over, then true: for what only a browser
 * knows, such as its zone and the day it is.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** The zone of the browser's own clock. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
