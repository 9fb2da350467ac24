import { atom, onMount } from 'nanostores';

const TICK_MS = 30_000;

/** The time it is, in milliseconds since 1970-01-01T00:00Z; moves on while someone looks. */
export const $now = atom(Date.now());

onMount($now, () => {
  const tick = () => $now.set(Date.now());
  tick();
  const timer = setInterval(tick, TICK_MS);
  // Timers sleep while the tab is in the background.
  document.addEventListener('visibilitychange', tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
});
