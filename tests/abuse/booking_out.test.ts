import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Service } from '#contract/service.ts';
import { expectOk } from '#support/call_api.ts';
import { listTimes } from '#support/listed_times.ts';
import { readOutbox } from '#support/outbox.ts';
import { openDemo, type Sandbox } from '#support/sandbox.ts';
import { logIn } from '../load/bookings.ts';
import { abuseMode } from './abuse_mode.ts';
import { book, confirmBooking, findService, MONTHS } from './bookings.ts';
import { callFrom } from './caller.ts';

/** An attack goes on so long after it has got nothing more. */
const DURATION_MS = abuseMode === 'full' ? 10 * 60_000 : 0;
/** The attacker gives up after so many requests that got no time, and tries again later. */
const FAILURES = 15;
const PAUSE_MS = 20_000;

/** Longer than a mail takes that does not wait for a budget. */
const MAIL_TIMEOUT_MS = 2000;

/** Who attacks: addresses of one network, and the share of the times that stays free at least. */
const ATTACKERS = [
  ['twenty addresses of one network', (n: number) => `203.0.113.${(n % 20) + 1}`, 0.8],
  ['one /48 of IPv6', (n: number) => `2001:db8:7:${(n % 256).toString(16)}00::1`, 0.6],
] as const;

test.for(ATTACKERS)(
  '%s, whose owner reads all mail of a domain, books, confirms late and moves apart on two processes: most times stay free',
  {
    timeout: 1_500_000,
  },
  async ([name, addressOf, leastFree]) => {
    await using sandbox = await openDemo();
    const server = await sandbox.serve({
      env: { RATE_LIMIT: 'on', WORKERS: '2', HOLD_MINUTES: '5' },
    });
    const token = await logIn(server, 'ana');
    const json = { client_move_notice_hours: 0 };
    await expectOk(callFrom(server, '192.0.2.1', 'PATCH /users/me/schedule', { token, json }));
    const service = await findService(server, 'ana', 60);
    // The share of the service that has lost most.
    const services = [service, await findService(server, 'ana', 180)];
    const list = ({ id }: Service) => listTimes(server.url, id, MONTHS);
    const countAll = () => Promise.all(services.map(async (one) => (await list(one)).length));
    const before = await countAll();
    const leastShare = async () => {
      const now = await countAll();
      return Math.min(...before.map((count, nth) => (now[nth] ?? 0) / count));
    };
    const end = Date.now() + DURATION_MS;
    const booked: { readonly id: string; readonly token: string | undefined }[] = [];
    const holds: string[] = [];
    let requests = 0;
    let moved = 0;
    let lowest = 1;
    const confirm = async (id: string) => {
      const address = addressOf(requests);
      const isConfirmed = (await confirmBooking(server, address, id)).status === 200;
      const mailToken = await waitForMailToken(sandbox, id);
      const isProven =
        mailToken !== undefined &&
        (await confirmBooking(server, address, id, mailToken)).status === 200;
      if (isConfirmed || isProven) booked.push({ id, token: mailToken });
      return isConfirmed || isProven;
    };
    do {
      // Every other booking is back to back, to be moved apart.
      const times = await list(service);
      for (let n = 0, failures = 0; failures < FAILURES && n < times.length; n += n % 2 ? 6 : 1) {
        const time = times[n];
        if (!time) break;
        requests += 1;
        const { response } = await book(server, addressOf(requests), {
          ...time,
          username: 'ana',
          serviceId: service.id,
          email: `attacker-${requests}@domain-of-the-attacker.com`,
        });
        const { id } = response.body;
        if (response.status !== 201) failures += response.status === 409 ? 0 : 1;
        // Some are confirmed once their deadline has passed.
        else if (requests % 5 === 0) holds.push(id);
        else if (!(await confirm(id))) failures += 1;
      }
      // Far apart, because each then removes more than one listed time.
      const apart = (await list(service)).filter(({ start }) => start.slice(14, 16) !== '00');
      for (const [nth, { id, token: mail_token }] of booked.entries()) {
        const move = { ...apart[nth * 5], ...(mail_token !== undefined && { mail_token }) };
        const path = `POST /appointments/confirmation/${id}/move`;
        const answer = await callFrom(server, addressOf(nth), path, { json: move });
        if (answer.status === 200) moved += 1;
      }
      lowest = Math.min(lowest, await leastShare());
      if (Date.now() < end) await sleep(PAUSE_MS);
      else for (const id of holds) await confirm(id);
      lowest = Math.min(lowest, await leastShare());
    } while (Date.now() < end);
    console.log(
      `Booking out by ${name}: ${booked.length} of ${requests} confirmed, ${moved} moves; ${(100 * lowest).toFixed(1)} % of the times of each service stay free`,
    );
    expect(booked.length).toBeGreaterThan(0);
    expect(lowest).toBeGreaterThanOrEqual(leastFree);
  },
);

/** The token of the link in the mail about an appointment; undefined when the mail waits for a budget. */
async function waitForMailToken({ dataDir }: Sandbox, id: string): Promise<string | undefined> {
  const link = new RegExp(`/confirmation/${id}\\?mail_token=([\\w-]+)`);
  for (const end = Date.now() + MAIL_TIMEOUT_MS; Date.now() < end; await sleep(100))
    for (const { text } of (await readOutbox(dataDir)).toReversed()) {
      const token = link.exec(text ?? '')?.[1];
      if (token !== undefined) return token;
    }
  return undefined;
}
