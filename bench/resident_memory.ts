import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { ChildServer } from './child_server.ts';

/** The options of a server whose memory is measured. */
export const GARBAGE_COLLECTION_OPTIONS = [
  '--expose-gc',
  '--import',
  new URL('collect_garbage.ts', import.meta.url).href,
];

/** The resident memory of a server once its garbage is collected. */
export async function residentMegabytes(server: ChildServer): Promise<number> {
  for (let times = 0; times < 3; times += 1) {
    const collected = once(server.process, 'message');
    server.process.send('now');
    await collected;
  }
  return readMegabytes(server.pid, 'VmRSS');
}

/** @param field `RssAnon` is what a process does not share; 0 for a process that has ended */
export async function readMegabytes(pid: number, field: 'VmRSS' | 'RssAnon'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
}
