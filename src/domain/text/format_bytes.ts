const UNITS = ['KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1000;

/** Such as '512 bytes', '1.5 MB' or '20 GB', in steps of 1,000. `bytes` is a whole number, from 0. */
export function formatBytes(bytes: number): string {
  if (bytes < STEP) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  // 999.9 KB would be shown as 1,000 KB, so it becomes 1 MB.
  const isRoundedUp = Math.round(bytes / STEP ** power) >= STEP && power < UNITS.length;
  const shownPower = isRoundedUp ? power + 1 : power;
  const value = bytes / STEP ** shownPower;
  const rounded = value < 10 ? Math.round(value * 10) / 10 : Math.round(value);
  return `${rounded} ${UNITS[shownPower - 1]}`;
}
