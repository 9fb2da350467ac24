import { readFile } from 'node:fs/promises';

const CLOCK_TICKS_PER_SECOND = 100;

/** How busy processes were while something was measured, as shares of one core each. */
export async function measureCpuUsage<T>(
  pids: readonly number[],
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly shares: readonly number[] }> {
  const before = await Promise.all(pids.map(cpuSeconds));
  const start = performance.now();
  const result = await work();
  const seconds = (performance.now() - start) / 1000;
  const after = await Promise.all(pids.map(cpuSeconds));
  return { result, shares: after.map((used, index) => (used - (before[index] ?? 0)) / seconds) };
}

/** Seconds of a processor that a process has used so far; NaN where the system does not tell. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, , , , , , , , , , , user, system] = stat.replace(/^.*\) /s, '').split(' ');
  return (Number(user) + Number(system)) / CLOCK_TICKS_PER_SECOND;
}

/** A share of a core for people. */
export function formatPercent(share: number | undefined): string {
  return share === undefined || Number.isNaN(share) ? 'unknown' : `${(share * 100).toFixed(0)} %`;
}
