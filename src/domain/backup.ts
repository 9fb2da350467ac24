import { HOUR_MS, type Instant } from './time/time.ts';

/** A day, and two hours because a backup may take longer than that of the night before. */
const MAX_AGE_MS = 26 * HOUR_MS;

/** Whether tonight's backup is missing. The alert `LineworkBackupOld` of Prometheus has the same limit. */
export function isBackupOld(finishedAt: Instant, now: Instant): boolean {
  return now - finishedAt > MAX_AGE_MS;
}

/** The shortest length of the key that signs tokens, whether a setting, a file or a backup contains it. */
export const MIN_KEY_BYTES = 16;
