import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { CurrentAlarm } from '#contract/abuse.ts';
import type { LoginAnswer } from '#contract/login.ts';
import { expectOk } from '#support/call_api.ts';
import { openSandbox } from '#support/sandbox.ts';
import { abuseMode } from './abuse_mode.ts';
import { book, confirmBooking, findService, listTimes } from './bookings.ts';
import { ANA, addressOf, callFrom } from './caller.ts';
import { isTo, listMails } from './outbox.ts';

const NETWORKS = abuseMode === 'full' ? 200 : 40;
const OWNER = '203.0.113.7';
/** Longer than a mail takes that was queued already. */
const AFTERWARDS_MS = 5000;

test('many networks with invented mailboxes: the artist is warned within a minute, and one call cancels all without a mail', {
  timeout: 900_000,
}, async () => {
  await using sandbox = await openSandbox();
  const server = await sandbox.serve({ env: { RATE_LIMIT: 'on' } });
  const { access_token: token } = await expectOk(
    callFrom<LoginAnswer>(server, OWNER, 'POST /login/access-token', {
      form: { username: ANA.email, password: ANA.password },
    }),
  );
  const loadAlarm = async () => {
    const path = 'GET /users/me/booking-alarm';
    return (await expectOk(callFrom<CurrentAlarm>(server, OWNER, path, { token }))).alarm;
  };
  const service = await findService(server, ANA.username, 30);
  const before = await listTimes(server, service);
  const start = Date.now();
  let warnedAfter: number | undefined;
  let booked = 0;
  for (let n = 0; n < NETWORKS; n += 1) {
    const time = before[2 * n];
    if (!time) break;
    const { response } = await book(server, addressOf(n), {
      ...time,
      username: ANA.username,
      serviceId: service.id,
      email: `nobody-${n}@invented-${n}.example.com`,
    });
    if (response.status !== 201) continue;
    booked += 1;
    if (n % 2 === 0) await confirmBooking(server, addressOf(n), response.body.id);
    if (warnedAfter === undefined && (await loadAlarm())) warnedAfter = Date.now() - start;
  }
  expect(warnedAfter).toBeDefined();
  const warning = await vi.waitFor(
    async () => {
      const mails = await listMails(sandbox);
      const found = mails.find(
        (mail) => isTo(mail, ANA.email) && /unusually/.test(mail.subject ?? ''),
      );
      expect(found).toBeDefined();
      return found;
    },
    { timeout: 60_000, interval: 200 },
  );
  const alarm = await loadAlarm();
  console.log(
    `Alarm: ${booked} bookings of ${NETWORKS} networks; the studio warned ${warnedAfter} ms after the first, the mail said ${warning?.text?.match(/\d+ bookings/)?.[0]}`,
  );
  expect(alarm?.bookings).toBe(booked);
  const mailsBefore = (await listMails(sandbox)).length;
  const path = `POST /users/me/booking-alarm/${alarm?.id}/cancel`;
  expect(await expectOk(callFrom(server, OWNER, path, { token }))).toEqual({ cancelled: booked });
  expect(await listTimes(server, service)).toHaveLength(before.length);
  const subjects = async () =>
    (await listMails(sandbox)).slice(mailsBefore).map(({ subject }) => subject ?? '');
  await sleep(AFTERWARDS_MS);
  expect((await subjects()).filter((subject) => /Cancelled/.test(subject))).toEqual([]);
});
