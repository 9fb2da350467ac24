import { readFile } from 'node:fs/promises';

const CLOCK_TICKS_PER_SECOND = 100;

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
