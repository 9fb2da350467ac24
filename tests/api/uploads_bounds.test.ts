import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { drain } from '#server/api/multipart.ts';
import { createQueue } from '#server/images/queue.ts';
import { openUploads } from '#server/uploads.ts';

/** Work that ends when it is told to. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { promise, resolve, reject };
}

test('so many run at once, and who waits comes in the order of asking', async () => {
  const inTurn = createQueue({ atOnce: 2, waiting: 10 });
  const begun: number[] = [];
  const jobs = Array.from({ length: 5 }, work);
  const done = jobs.map(({ promise }, index) =>
    inTurn(() => {
      begun.push(index);
      return promise;
    }),
  );
  expect(begun).toEqual([0, 1]);
  jobs[1]?.resolve('second');
  expect(await done[1]).toBe('second');
  expect(begun).toEqual([0, 1, 2]);
  // A failure makes room like any other end.
  jobs[0]?.reject(new Error('first'));
  await expect(done[0]).rejects.toThrow('first');
  expect(begun).toEqual([0, 1, 2, 3]);
  for (const { resolve } of jobs) resolve('done');
  await Promise.all(done.slice(2));
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect(await inTurn(async () => 'again')).toBe('again');
});

test('when too many are waiting already, the next one is told that it is busy', async () => {
  const inTurn = createQueue({ atOnce: 1, waiting: 2 });
  const { promise, resolve } = work();
  const served = [1, 2, 3].map(() => inTurn(() => promise));
  await expect(inTurn(() => promise)).rejects.toThrow('busy');
  resolve('done');
  expect(await Promise.all(served)).toEqual(['done', 'done', 'done']);
  expect(await inTurn(async () => 'room again')).toBe('room again');
});

test('what a killed process left of uploads is removed by the next start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'linework-uploads-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const folder = await openUploads(dataDir, true, Date.now());
  const leave = async (name: string, minutesAgo: number) => {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'body'), 'half a picture');
    const then = new Date(Date.now() - minutesAgo * 60_000);
    await utimes(join(folder, name), then, then);
  };
  await leave('old', 90);
  await leave('young', 5);
  // Another server may be at it, where several share the directory.
  await openUploads(dataDir, false, Date.now());
  expect(await readdir(folder)).toEqual(['young']);
  await openUploads(dataDir, true, Date.now());
  expect(await readdir(folder)).toEqual([]);
});

/** A request whose sender says no more. */
function stalled(): Request {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(9)) });
  // Node asks for `duplex` when the body is a stream.
  const sent = { method: 'POST', body, duplex: 'half' };
  return new Request('http://linework.test/', sent);
}

test('whoever stalls in the middle of a body does not hold up its answer for ever', async () => {
  const request = stalled();
  await drain(request, 20);
  // Let go of, and not taken in.
  expect(request.body?.locked).toBe(false);
});
