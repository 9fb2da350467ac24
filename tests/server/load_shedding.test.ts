import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createLoadShedding, LATE_REQUESTS, MAX_REQUESTS } from '#server/load_shedding.ts';

/** A request, and functions that end its arrival and its work. */
function request(headers: Record<string, string> = {}, method = 'POST') {
  const work = Promise.withResolvers<void>();
  const arriving = Object.assign(new EventEmitter(), { method, headers });
  return { arriving, work };
}

/** Requests in work, with a function that ends the work of all. */
function load(shedding: ReturnType<typeof createLoadShedding>, count: number) {
  const requests = Array.from({ length: count }, () => request());
  const ends = requests.map(({ arriving, work }) => shedding.track(arriving, work.promise));
  return async () => {
    for (const { work } of requests) work.resolve();
    await Promise.all(ends);
  };
}

test('a burst of 2,000 requests at once is served, and one more is refused until one has ended', async () => {
  const shedding = createLoadShedding();
  const endMost = load(shedding, MAX_REQUESTS - 1);
  expect(shedding.isOverloaded()).toBe(false);
  const endLast = load(shedding, 1);
  expect(shedding.isOverloaded()).toBe(true);
  await endLast();
  expect(shedding.isOverloaded()).toBe(false);
  await endMost();
});

test('requests are refused while 100 of them have been in work for longer than ten seconds', async () => {
  let now = 0;
  const shedding = createLoadShedding(() => now);
  const endOne = load(shedding, 1);
  const endOld = load(shedding, LATE_REQUESTS - 1);
  now = 10_000;
  const endNew = load(shedding, LATE_REQUESTS);
  expect(shedding.isOverloaded()).toBe(false);
  now = 10_001;
  expect(shedding.isOverloaded()).toBe(true);
  await endOne();
  expect(shedding.isOverloaded()).toBe(false);
  now = 20_001;
  expect(shedding.isOverloaded()).toBe(true);
  await endOld();
  expect(shedding.isOverloaded()).toBe(true);
  await endNew();
  expect(shedding.isOverloaded()).toBe(false);
});

test('a request counts only when it has arrived as a whole, so that slow clients shut out nobody', async () => {
  const shedding = createLoadShedding();
  const slow = Array.from({ length: MAX_REQUESTS }, (_, index) =>
    request(index % 2 === 0 ? { 'content-length': '9' } : { 'transfer-encoding': 'chunked' }),
  );
  const ends = slow.map(({ arriving, work }) => shedding.track(arriving, work.promise));
  expect(shedding.isOverloaded()).toBe(false);
  for (const { arriving } of slow) arriving.emit('end');
  expect(shedding.isOverloaded()).toBe(true);
  for (const { work } of slow) work.resolve();
  await Promise.all(ends);
  expect(shedding.isOverloaded()).toBe(false);
});

test('a GET with a body, which nobody reads, counts at once', async () => {
  const shedding = createLoadShedding();
  for (let n = 0; n < MAX_REQUESTS; n += 1) {
    const { arriving, work } = request({ 'content-length': '9' }, n % 2 === 0 ? 'GET' : 'HEAD');
    void shedding.track(arriving, work.promise);
  }
  expect(shedding.isOverloaded()).toBe(true);
});

test('a request that fails, or is refused before it has arrived, does not stay counted', async () => {
  const shedding = createLoadShedding();
  for (let n = 0; n < MAX_REQUESTS; n += 1) {
    const { arriving, work } = request(n % 2 === 0 ? { 'content-length': '9' } : {});
    const end = shedding.track(arriving, work.promise);
    work.reject(new Error('broken'));
    await expect(end).rejects.toThrow('broken');
    arriving.emit('end');
  }
  expect(shedding.isOverloaded()).toBe(false);
});
