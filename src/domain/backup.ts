import { HOUR_MS, type Instant } from './time/time.ts';

/** A nightly backup takes up to two hours longer than the one before. */
const MAX_AGE_MS = 26 * HOUR_MS;

/** Whether the last backup is older than a night and its delay, as in the alert `LineworkBackupOld`. */
export function isBackupOld(finishedAt: Instant, now: Instant): boolean {
  return now - finishedAt > MAX_AGE_MS;
}

/** The shortest key that signs tokens, as a setting, a file or a part of a backup. */
export const MIN_KEY_BYTES = 16;
