// The server's clock, for deadlines: the clock of the device may be wrong by hours.
import type { Instant } from '#domain/time/time.ts';

/** Smaller differences come from the network, and from the header `Date`, which has whole seconds. */
const TOLERANCE_MS = 5_000;

/** How far the server's clock is ahead of the device's; 0 while it is not known. */
let aheadMs = 0;

/** The time on the server's clock; on the device's while the server's is not known. */
export function serverNow(): Instant {
  return Date.now() + aheadMs;
}

/** The time on the device's clock at an instant of the server's clock. */
export function toDeviceTime(instant: Instant): Instant {
  return instant - aheadMs;
}

/** Notes that the server's clock showed `now` when the device's showed `deviceTime`. */
export function setServerClock(now: Instant, deviceTime: Instant = Date.now()): void {
  aheadMs = Math.abs(now - deviceTime) > TOLERANCE_MS ? now - deviceTime : 0;
}
