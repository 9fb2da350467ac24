/** The server's clock, for deadlines: the clock of the device may be wrong by hours. */
import type { Instant } from '#domain/time.ts';

/** Smaller differences come from the way of an answer, and from the fractions that `Date` leaves out. */
const TOLERANCE_MS = 5_000;

/** How far the server's clock is ahead of the device's, in milliseconds. */
let ahead = 0;

/** The time on the server's clock; on the device's until an answer has told it. */
export function serverNow(): Instant {
  return Date.now() + ahead;
}

/** When the device's clock will show what the server's shows at an instant. */
export function toDeviceTime(instant: Instant): Instant {
  return instant - ahead;
}

/** Measures the clock by an answer of the API. Only the `Date` of one that no cache stores is now. */
export function measureByAnswer(headers: Headers): void {
  const now = Date.parse(headers.get('Date') ?? '');
  if (now && headers.get('Cache-Control')?.includes('no-store')) measure(now, Date.now());
}

/** Measures the clock by the page itself, which no cache may store. @param now when it was rendered */
export function measureByPage(now: Instant): void {
  // Our server has no clock to measure.
  if (typeof document === 'undefined') return;
  const [page] = performance.getEntriesByType('navigation');
  // Its scripts may have taken long to load.
  const age = page && 'responseStart' in page ? performance.now() - Number(page.responseStart) : 0;
  measure(now, Date.now() - age);
}

function measure(now: Instant, deviceTime: Instant): void {
  ahead = Math.abs(now - deviceTime) > TOLERANCE_MS ? now - deviceTime : 0;
}
