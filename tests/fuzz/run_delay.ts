import { readdir, readFile } from 'node:fs/promises';

/**
 * How long each thread of a process was ready to run and got no processor so far, in milliseconds,
 * because of other work of the machine; empty where the system does not tell.
 */
async function readRunDelays(pid: number): Promise<ReadonlyMap<string, number>> {
  const folder = `/proc/${pid}/task`;
  const threads = await readdir(folder).catch(() => []);
  const delays = await Promise.all(
    threads.map(async (thread): Promise<[string, number]> => {
      // Nanoseconds on a processor, nanoseconds of waiting for one, and turns.
      const text = await readFile(`${folder}/${thread}/schedstat`, 'utf8').catch(() => '');
      return [thread, Number(text.split(' ')[1] ?? 0) / 1e6];
    }),
  );
  return new Map(delays);
}

/** The longest that one thread of the process waited for a processor during the work. */
export async function measureRunDelay<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ value: T; delayMs: number }> {
  const before = await readRunDelays(pid);
  const value = await work();
  const after = await readRunDelays(pid);
  const delays = [...after].map(([thread, delay]) => delay - (before.get(thread) ?? 0));
  return { value, delayMs: Math.max(0, ...delays) };
}
