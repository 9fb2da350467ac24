import { setServerClock } from '#client/server_clock.ts';
import type { Instant } from '#domain/time.ts';

/** Measures the server's clock by the page itself, which no cache may store. @param now of its rendering */
export function measureByPage(now: Instant): void {
  // On our server there is no other clock to measure.
  if (typeof document === 'undefined') return;
  const [page] = performance.getEntriesByType('navigation');
  // Its scripts may have taken long to load.
  const age = page && 'responseStart' in page ? performance.now() - Number(page.responseStart) : 0;
  setServerClock(now, Date.now() - age);
}
