/** The server's clock, for deadlines: the clock of the device may be wrong by hours. */
import type { Instant } from '#domain/time.ts';

/** Smaller differences come from the network, and from the header `Date`, which has whole seconds. */
const TOLERANCE_MS = 5_000;

/** How far the server's clock is ahead of the device's, in milliseconds. */
let ahead = 0;

/** The time on the server's clock; on the device's until an answer names it. */
export function serverNow(): Instant {
  return Date.now() + ahead;
}

/** When the device's clock will show what the server's shows at an instant. */
export function toDeviceTime(instant: Instant): Instant {
  return instant - ahead;
}

/** Says that the server's clock showed `now` when the device's showed `deviceTime`. */
export function setServerClock(now: Instant, deviceTime: Instant = Date.now()): void {
  ahead = Math.abs(now - deviceTime) > TOLERANCE_MS ? now - deviceTime : 0;
}
