import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDemo } from '#support/sandbox.ts';
import { abuseMode } from './abuse_mode.ts';
import { book, confirmBooking, findService, listTimes } from './bookings.ts';
import { ANA } from './caller.ts';
import { waitForMailToken } from './outbox.ts';

/** An attack goes on so long after it has got nothing more. */
const DURATION_MS = abuseMode === 'full' ? 10 * 60_000 : 0;
/** The attacker gives up after so many requests that got no time, and tries again later. */
const FAILURES = 15;
const PAUSE_MS = 20_000;

const ADDRESSES = Array.from({ length: 20 }, (_, n) => `203.0.113.${n + 1}`);

test('twenty addresses of one network that read all mail of their own domain, on two processes: four of five listed times stay free', {
  timeout: 900_000,
}, async () => {
  await using sandbox = await openDemo();
  const server = await sandbox.serve({ env: { RATE_LIMIT: 'on', WORKERS: '2' } });
  const service = await findService(server, ANA.username, 60);
  const before = (await listTimes(server, service)).length;
  const end = Date.now() + DURATION_MS;
  let requests = 0;
  let confirmed = 0;
  let lowest = before;
  do {
    // Times far apart, because each then removes more than one listed time.
    const times = (await listTimes(server, service)).toSorted(
      (a, b) => Number(a.start.slice(14, 16)) - Number(b.start.slice(14, 16)),
    );
    let failures = 0;
    for (let n = 0; failures < FAILURES && n < times.length; n += 7) {
      const time = times[n];
      const address = ADDRESSES[requests % ADDRESSES.length] ?? '';
      if (!time) break;
      requests += 1;
      const { response } = await book(server, address, {
        ...time,
        username: ANA.username,
        serviceId: service.id,
        email: `attacker-${requests}@domain-of-the-attacker.com`,
      });
      const { id, must_prove_email } = response.body;
      const isHeld = response.status === 201;
      const confirm = async (token?: string) =>
        (await confirmBooking(server, address, id, token)).status === 200;
      // The mail of a hold comes at once only where its link is needed; that of a booking always.
      const isConfirmed = isHeld && !must_prove_email && (await confirm());
      const token =
        isHeld && (isConfirmed || must_prove_email)
          ? await waitForMailToken(sandbox, id)
          : undefined;
      const isProven = token !== undefined && (await confirm(token));
      if (isConfirmed || isProven) confirmed += 1;
      else if (response.status !== 409) failures += 1;
    }
    lowest = Math.min(lowest, (await listTimes(server, service)).length);
    if (Date.now() < end) await sleep(PAUSE_MS);
  } while (Date.now() < end);
  console.log(
    `Booking out: ${confirmed} of ${requests} confirmed; ${lowest} of ${before} times stay free (${((100 * lowest) / before).toFixed(1)} %)`,
  );
  expect(confirmed).toBeGreaterThan(0);
  expect(lowest / before).toBeGreaterThanOrEqual(0.8);
});
