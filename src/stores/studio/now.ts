import { atom, onMount } from 'nanostores';

const TICK_MS = 30_000;

/** The current time, in milliseconds since 1970; it is updated only while a component uses it. */
export const $now = atom(Date.now());

onMount($now, () => {
  const tick = () => $now.set(Date.now());
  tick();
  const timer = setInterval(tick, TICK_MS);
  // Browsers delay the timers of hidden tabs, so update the time when a tab is shown again.
  document.addEventListener('visibilitychange', tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
});
