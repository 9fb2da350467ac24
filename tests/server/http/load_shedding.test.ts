import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import {
  BUSY_REQUESTS,
  createLoadShedding,
  LATE_REQUESTS,
  type LoadShedding,
} from '#server/http/load_shedding.ts';

interface Options {
  readonly ip?: string;
  readonly socket?: object;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

/** A request on a connection of its own, unless it has a `socket`. */
function createRequest({ socket = {}, method = 'GET', headers = {} }: Options) {
  return Object.assign(new EventEmitter(), { socket, method, headers });
}

/** Adds requests in work. Returns them, with a function that ends the work of all. */
function load(shedding: LoadShedding, count: number, options: Options = {}) {
  const { ip = '192.0.2.1' } = options;
  const works = Array.from({ length: count }, () => ({
    request: createRequest(options),
    ...Promise.withResolvers<void>(),
  }));
  const ends = works.map(({ request, promise }) => shedding.track(request, ip, promise));
  return {
    requests: works.map(({ request }) => request),
    async end() {
      for (const { resolve } of works) resolve();
      await Promise.all(ends);
    },
  };
}

function isTooMuch(shedding: LoadShedding, { ip = '198.51.100.1', ...options }: Options = {}) {
  return shedding.isTooMuch(createRequest(options), ip);
}

const BODY = { method: 'POST', headers: { 'content-length': '9' } };

test('jobs let requests go first while more than a few wait for us', async () => {
  const shedding = createLoadShedding(true);
  const few = load(shedding, BUSY_REQUESTS);
  // Their clients still send them.
  const slow = load(shedding, BUSY_REQUESTS, BODY);
  expect(shedding.isBusy()).toBe(false);
  const more = load(shedding, 1);
  expect(shedding.isBusy()).toBe(true);
  await more.end();
  expect(shedding.isBusy()).toBe(false);
  await few.end();
  await slow.end();
});

test('a burst of 2,000 requests at once is served, and one more is refused until one has ended', async () => {
  const shedding = createLoadShedding(false);
  const most = load(shedding, 2000 - 1);
  expect(isTooMuch(shedding)).toBe(false);
  const last = load(shedding, 1);
  expect(isTooMuch(shedding)).toBe(true);
  await last.end();
  expect(isTooMuch(shedding)).toBe(false);
  await most.end();
});

test('requests are refused while 100 of them have been in work for longer than ten seconds', async () => {
  let now = 0;
  const shedding = createLoadShedding(false, () => now);
  const one = load(shedding, 1);
  const old = load(shedding, LATE_REQUESTS - 1);
  now = 10_000;
  const later = load(shedding, LATE_REQUESTS);
  expect(isTooMuch(shedding)).toBe(false);
  now = 10_001;
  expect(isTooMuch(shedding)).toBe(true);
  await one.end();
  expect(isTooMuch(shedding)).toBe(false);
  now = 20_001;
  expect(isTooMuch(shedding)).toBe(true);
  await old.end();
  await later.end();
  expect(isTooMuch(shedding)).toBe(false);
});

test('a request that arrives slowly is late only from its end on, so that slow clients shut out nobody', async () => {
  let now = 0;
  const shedding = createLoadShedding(false, () => now);
  const slow = load(shedding, LATE_REQUESTS, BODY);
  now = 60_000;
  expect(isTooMuch(shedding)).toBe(false);
  for (const request of slow.requests) request.emit('end');
  now = 70_001;
  expect(isTooMuch(shedding)).toBe(true);
  await slow.end();
});

test('a request counts also if nobody reads its body', async () => {
  for (const options of [BODY, { ...BODY, method: 'GET' }]) {
    const shedding = createLoadShedding(false);
    const { end } = load(shedding, 2000, options);
    expect(isTooMuch(shedding)).toBe(true);
    await end();
  }
});

test('one connection has at most 20 requests in work, and others are served', async () => {
  const shedding = createLoadShedding(false);
  const socket = {};
  const { end } = load(shedding, 20, { socket });
  expect(isTooMuch(shedding, { socket })).toBe(true);
  expect(isTooMuch(shedding)).toBe(false);
  await end();
  expect(isTooMuch(shedding, { socket })).toBe(false);
});

test('one network has at most 500 requests in work, and others are served', async () => {
  const shedding = createLoadShedding(true);
  const { end } = load(shedding, 500, { ip: '192.0.2.1' });
  expect(isTooMuch(shedding, { ip: '192.0.2.77' })).toBe(true);
  expect(isTooMuch(shedding, { ip: '198.51.100.1' })).toBe(false);
  await end();
  expect(isTooMuch(shedding, { ip: '192.0.2.77' })).toBe(false);
});

test('the networks of one /48 of IPv6 have at most 1,000 requests in work together', () => {
  const shedding = createLoadShedding(true);
  for (const ip of ['2001:db8:7:100::1', '2001:db8:7:200::1', '2001:db8:7:300::1'])
    load(shedding, Math.ceil(1000 / 3), { ip });
  expect(isTooMuch(shedding, { ip: '2001:db8:7:400::1' })).toBe(true);
  expect(isTooMuch(shedding, { ip: '2001:db8:8::1' })).toBe(false);
});

test('a request that fails, or that ends before it has arrived, does not stay counted', async () => {
  const shedding = createLoadShedding(true);
  const socket = {};
  for (let n = 0; n < 20; n += 1) {
    const request = createRequest(n % 2 === 0 ? { ...BODY, socket } : { socket });
    const work = Promise.reject(new Error('broken'));
    await expect(shedding.track(request, '192.0.2.1', work)).rejects.toThrow('broken');
    request.emit('end');
  }
  expect(isTooMuch(shedding, { socket })).toBe(false);
});
