import { atom, onMount } from 'nanostores';

const TICK_MS = 30_000;

/** The current time, in milliseconds since 1970. It ticks while a component shows it. */
export const $now = atom(Date.now());

onMount($now, () => {
  const tick = () => $now.set(Date.now());
  tick();
  const timer = setInterval(tick, TICK_MS);
  // Browsers delay the timers of hidden tabs, so a tab that is shown again needs the time at once.
  document.addEventListener('visibilitychange', tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
});
