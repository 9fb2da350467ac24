import { atom, onMount } from 'nanostores';
import { serverNow } from '#client/server_clock.ts';

const TICK_MS = 30_000;

/** The current time on the server's clock. It is updated only while a component uses it. */
export const $now = atom(serverNow());

onMount($now, () => {
  const tick = () => $now.set(serverNow());
  tick();
  const timer = setInterval(tick, TICK_MS);
  // Browsers delay the timers of hidden tabs, so update the time when a tab is shown again.
  document.addEventListener('visibilitychange', tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
});
