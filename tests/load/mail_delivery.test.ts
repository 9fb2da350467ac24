import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { Slot } from '#contract/availability.ts';
import { addToCalendar } from '#support/mail_calendar.ts';
import { openDemo, queryDatabase, type RunningServer, type Sandbox } from '#support/sandbox.ts';
import { openSmtpServer, type SmtpServer } from '#support/smtp_server.ts';
import {
  type BookingInput,
  book,
  call,
  confirmBooking,
  createBookingInputs,
  logIn,
} from './bookings.ts';

const CLIENTS = 10;
const BOOKINGS = 30;
const APPOINTMENTS = 12;
/** The booking confirmation to the client, and the new booking to the artist. */
const MAILS_PER_BOOKING = 2;
/** The number of mails that a server sends concurrently. */
const MAX_CONCURRENT = 5;
/** The first words of the subjects, in the order of the events. */
const STAGES = ['Booked', 'Moved', 'Cancelled'];

describe.concurrent('mail', () => {
  test('bookings succeed while the SMTP server hangs; a server that is killed while sending loses no mail, and repeats at most the ones in progress', async () => {
    let isHanging = true;
    await using smtp = await openSmtpServer({
      beforeAccepting: () => (isHanging ? new Promise(() => {}) : sleep(50)),
    });
    await using sandbox = await openDemo();
    const env = { SMTP_URL: smtp.url };
    const server = await sandbox.serve({ env });
    const inputs = (await createBookingInputs(server)).slice(0, BOOKINGS);
    expect(await bookAll([server], inputs)).toHaveLength(BOOKINGS);
    expect(await countMails(sandbox, 'sent')).toBe(0);

    isHanging = false;
    smtp.dropConnections();
    await vi.waitFor(() => expect(smtp.mails.length).toBeGreaterThan(BOOKINGS / 2), WAIT);
    server.process.kill('SIGKILL');
    await server.exited;
    expect(await countMails(sandbox, 'queued')).toBeGreaterThan(0);
    await sandbox.serve({ env });
    await waitUntilAllSent(sandbox, BOOKINGS * MAILS_PER_BOOKING);
    const deliveries = [...smtp.countDeliveries().values()];
    expect(deliveries).toHaveLength(BOOKINGS * MAILS_PER_BOOKING);
    expect(Math.max(...deliveries)).toBeLessThanOrEqual(2);
    expect(deliveries.filter((times) => times === 2).length).toBeLessThanOrEqual(MAX_CONCURRENT);
  });

  test('two servers send each mail once and log no email address; after an outage and a kill during book, move and cancel, each mailbox has what is true, in order', async () => {
    await using smtp = await openSmtpServer({ beforeAccepting: () => sleep(30) });
    await using sandbox = await openDemo();
    const env = { SMTP_URL: smtp.url };
    const one = await sandbox.serve({ env });
    const other = await sandbox.serve({ env: { ...(await sandbox.settingsBeside()), ...env } });
    const inputs = await createBookingInputs(one);
    await bookAll([one, other], inputs.splice(0, APPOINTMENTS));
    await waitUntilAllSent(sandbox, APPOINTMENTS * MAILS_PER_BOOKING);
    const deliveries = [...smtp.countDeliveries().values()];
    expect(deliveries).toEqual(Array(APPOINTMENTS * MAILS_PER_BOOKING).fill(1));

    const token = await logIn(one, 'ana');
    const ids = await bookAll([one, other], inputs.splice(0, APPOINTMENTS));
    const freeSlots: Slot[] = inputs.map(({ body }) => JSON.parse(body));
    const change = async (server: RunningServer, id: string, json: object) =>
      expect((await call(server, `PATCH /appointments/${id}`, { token, json })).status).toBe(200);
    // A third of the appointments changes while the mail server works, a third while it is away.
    for (const [nth, id] of ids.entries()) {
      if (nth === APPOINTMENTS / 3) await smtp.stop();
      if (nth === (2 * APPOINTMENTS) / 3) await smtp.start();
      const [first, second] = nth % 2 ? [one, other] : [other, one];
      await change(first, id, { start: freeSlots[nth]?.start, end: freeSlots[nth]?.end });
      await change(second, id, { status: 'cancelled' });
      if (nth === APPOINTMENTS - 2) {
        other.process.kill('SIGKILL');
        await other.exited;
        break;
      }
    }
    await vi.waitFor(async () => expect(await countMails(sandbox, 'queued')).toBe(0), WAIT);
    for (const id of ids.slice(0, APPOINTMENTS - 1)) {
      const mails = smtp.mails.filter(({ text }) => text?.includes(`/confirmation/${id}`));
      const stages = mails.map(({ subject = '' }) => STAGES.indexOf(subject.split(':')[0] ?? ''));
      expect(stages).toEqual(stages.toSorted((a, b) => a - b));
      expect(stages.at(-1)).toBe(STAGES.indexOf('Cancelled'));
      // Throws for a CANCEL before its REQUEST, and when a SEQUENCE goes down.
      expect(addToCalendar(withoutRepeats(mails))).toEqual(new Map());
    }
    // But for the line with the demo login.
    for (const server of [one, other])
      expect(server.output().replace(/Log in as .*/, '')).not.toMatch(/rosa@|ana@example/);
  });
});

const WAIT = { timeout: 120_000, interval: 50 };

/** Books and confirms concurrently, alternating between servers. Returns the ids. */
async function bookAll(
  servers: readonly RunningServer[],
  bookings: readonly BookingInput[],
): Promise<string[]> {
  const ids: string[] = [];
  const remaining = [...bookings];
  const client = async (_: unknown, nth: number) => {
    const server = servers[nth % servers.length];
    for (let booking = remaining.pop(); server && booking; booking = remaining.pop()) {
      const held = await book(server, booking);
      expect(held.status).toBe(201);
      expect((await confirmBooking(server, held.body.id)).status).toBe(200);
      ids.push(held.body.id);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return ids;
}

async function countMails(sandbox: Sandbox, status: string): Promise<number> {
  const [row] = await queryDatabase(
    await sandbox.databaseUrl(),
    'SELECT count(*)::int FROM mails WHERE status = $1 AND appointment_id IS NOT NULL',
    [status],
  );
  return Number(row?.[0]);
}

async function waitUntilAllSent(sandbox: Sandbox, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await countMails(sandbox, 'sent')).toBe(count), WAIT);
  expect(await countMails(sandbox, 'queued')).toBe(0);
}

/** The mails without later copies: after a lost connection a mail is sent again, with its Message-ID. */
function withoutRepeats(mails: SmtpServer['mails']): SmtpServer['mails'] {
  const ids = mails.map(({ messageId }) => messageId);
  return mails.filter(({ messageId }, nth) => ids.indexOf(messageId) === nth);
}
