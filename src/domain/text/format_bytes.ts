const UNITS = ['KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1000;

/** Such as '512 bytes', '1.5 MB' or '20 GB', in steps of 1,000. `bytes` is a whole number, from 0. */
export function formatBytes(bytes: number): string {
  if (bytes < STEP) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / STEP ** power;
  // 999.9 KB would be shown as 1,000 KB.
  const isNext = Math.round(value) >= STEP && power < UNITS.length;
  const shown = isNext ? value / STEP : value;
  const digits = shown < 10 ? Math.round(shown * 10) / 10 : Math.round(shown);
  return `${digits} ${UNITS[isNext ? power : power - 1]}`;
}
