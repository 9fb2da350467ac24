import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { addToCalendar } from '#support/mail_calendar.ts';
import { openSandbox, queryDatabase, type RunningServer, type Sandbox } from '#support/sandbox.ts';
import { openSmtpServer, type SmtpServer } from '#support/smtp_server.ts';
import {
  type BookingInput,
  book,
  call,
  confirmBooking,
  createBookingInputs,
  logIn,
} from './bookings.ts';

const KEY = 'a key that two servers share';
const CLIENTS = 10;
/** The booking confirmation to the client, and the new booking to the artist. */
const MAILS_PER_BOOKING = 2;
/** The number of mails that a server sends concurrently. */
const MAX_CONCURRENT = 5;

describe.concurrent('mail', () => {
  test('a hundred bookings succeed while the SMTP server is down, and later each mail is delivered once', async () => {
    await using smtp = await openSmtpServer();
    await using sandbox = await openSandbox();
    await smtp.stop();
    const server = await sandbox.serve({ env: { SMTP_URL: smtp.url } });
    const ids = await bookAll([server], (await createBookingInputs(server)).slice(0, 100));
    expect(ids).toHaveLength(100);
    expect(await countMails(sandbox, 'sent')).toBe(0);
    await smtp.start();
    await waitUntilAllSent(sandbox, ids.length * MAILS_PER_BOOKING);
    expectDeliveredOnce(smtp, ids.length * MAILS_PER_BOOKING);
    expect(countByRecipient(smtp)).toEqual({ client: 100, artist: 100 });
  }, 180_000);

  test('an SMTP server that accepts connections and never answers does not block bookings', async () => {
    await using silent = await openSilentSmtpServer();
    await using sandbox = await openSandbox();
    const server = await sandbox.serve({ env: { SMTP_URL: silent.url } });
    const ids = await bookAll([server], (await createBookingInputs(server)).slice(0, 20));
    expect(ids).toHaveLength(20);
    expect(silent.connections()).toBeGreaterThan(0);
    expect(await countMails(sandbox, 'sent')).toBe(0);
  }, 120_000);

  test('a server that is killed while sending loses no mail, and repeats at most the ones in progress', async () => {
    await using smtp = await openSmtpServer({ beforeAccepting: () => sleep(50) });
    await using sandbox = await openSandbox();
    const server = await sandbox.serve({ env: { SMTP_URL: smtp.url } });
    const ids = await bookAll([server], (await createBookingInputs(server)).slice(0, 40));
    await vi.waitFor(() => expect(smtp.mails.length).toBeGreaterThan(20), WAIT);
    server.process.kill('SIGKILL');
    await server.exited;
    expect(await countMails(sandbox, 'queued').catch(() => 1)).toBeGreaterThan(0);
    await sandbox.serve({ env: { SMTP_URL: smtp.url } });
    await waitUntilAllSent(sandbox, ids.length * MAILS_PER_BOOKING);
    const deliveries = [...smtp.countDeliveries().values()];
    expect(deliveries).toHaveLength(ids.length * MAILS_PER_BOOKING);
    expect(Math.max(...deliveries)).toBeLessThanOrEqual(2);
    expect(deliveries.filter((times) => times === 2).length).toBeLessThanOrEqual(MAX_CONCURRENT);
  }, 180_000);

  test('two servers send each mail and each reminder once, and log no email address', async () => {
    await using smtp = await openSmtpServer();
    await using sandbox = await openSandbox();
    const env = { SMTP_URL: smtp.url, SECRET_KEY: KEY };
    const one = await sandbox.serve({ env });
    await using otherSandbox = await openSandbox();
    const url = await sandbox.databaseUrl();
    const other = await otherSandbox.serve({ env: { ...env, DATABASE_URL: url } });
    // Those of the demo would be in the way of the times that are moved below.
    await queryDatabase(url, 'DELETE FROM appointments');
    const ids = await bookAll([one, other], (await createBookingInputs(one)).slice(0, 30));
    await waitUntilAllSent(sandbox, ids.length * MAILS_PER_BOOKING);
    expectDeliveredOnce(smtp, ids.length * MAILS_PER_BOOKING);
    // The first sweep for due reminders has run; the next one is a minute later.
    await vi.waitFor(
      async () => expect(await queryDatabase(url, 'TABLE reminder_sweep')).toHaveLength(1),
      WAIT,
    );
    await moveAppointments(sandbox, '24 hours 20 seconds');
    await waitUntilAllSent(sandbox, ids.length * (MAILS_PER_BOOKING + 1));
    expectDeliveredOnce(smtp, ids.length * (MAILS_PER_BOOKING + 1));
    for (const server of [one, other])
      expect(withoutDemoLogin(server.output())).not.toMatch(/rosa@|ana@example/);
  }, 240_000);

  test('an outage during book, move and cancel, with two servers and a kill, leaves each mailbox with what is true, in order', async () => {
    await using smtp = await openSmtpServer({ beforeAccepting: () => sleep(30) });
    await using sandbox = await openSandbox();
    const env = { SMTP_URL: smtp.url, SECRET_KEY: KEY };
    const one = await sandbox.serve({ env });
    await using otherSandbox = await openSandbox();
    const url = await sandbox.databaseUrl();
    const other = await otherSandbox.serve({ env: { ...env, DATABASE_URL: url } });
    const token = await logIn(one, 'ana');
    const inputs = await createBookingInputs(one);
    const freeSlots = inputs.slice(APPOINTMENTS).map(({ body }) => slotOf(body));
    const ids = await bookAll([one, other], inputs.slice(0, APPOINTMENTS));
    const change = async (server: RunningServer, id: string, json: object) =>
      expect((await call(server, `PATCH /appointments/${id}`, { token, json })).status).toBe(200);
    // A third of the appointments changes while the mail server works, a third while it is away.
    for (const [nth, id] of ids.entries()) {
      if (nth === APPOINTMENTS / 3) await smtp.stop();
      if (nth === (2 * APPOINTMENTS) / 3) await smtp.start();
      const [first, second] = nth % 2 ? [one, other] : [other, one];
      await change(first, id, freeSlots[nth] ?? {});
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
  }, 240_000);
});

const APPOINTMENTS = 12;
/** The first words of the subjects, in the order of the events. */
const STAGES = ['Booked', 'Moved', 'Cancelled'];

function slotOf(body: string): { start: string; end: string } {
  const { start, end } = JSON.parse(body);
  return { start, end };
}

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

/** The output without the line that contains the demo login. */
function withoutDemoLogin(output: string): string {
  return output.replace(/Log in as .*/, '');
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

/** Exactly so many mails arrived, without duplicates. */
function expectDeliveredOnce(smtp: SmtpServer, count: number): void {
  const deliveries = [...smtp.countDeliveries().values()];
  expect(deliveries.filter((times) => times > 1)).toEqual([]);
  expect(deliveries).toHaveLength(count);
}

function countByRecipient({ mails }: SmtpServer): { client: number; artist: number } {
  const to = (address: string) =>
    mails.filter(({ envelope }) => envelope.to.includes(address)).length;
  return { client: to('rosa@example.com'), artist: to('ana@example.com') };
}

/** The mails without later copies: after a lost connection a mail is sent again, with its Message-ID. */
function withoutRepeats(mails: SmtpServer['mails']): SmtpServer['mails'] {
  const ids = mails.map(({ messageId }) => messageId);
  return mails.filter(({ messageId }, nth) => ids.indexOf(messageId) === nth);
}

/** Moves every confirmed appointment so far ahead of now, without overlaps. */
async function moveAppointments(sandbox: Sandbox, ahead: string): Promise<void> {
  await queryDatabase(
    await sandbox.databaseUrl(),
    `WITH moved AS (
       SELECT t.id, now() + $1::interval + (row_number() OVER (ORDER BY t.id) - 1)
         * interval '1 microsecond' AS start
       FROM appointment_times t JOIN appointments a ON a.id = t.appointment_id
       WHERE a.status = 'confirmed')
     UPDATE appointment_times t
     SET during = tstzrange(start, start + interval '1 microsecond'),
       blocked = tstzrange(start, start + interval '1 microsecond')
     FROM moved WHERE moved.id = t.id`,
    [ahead],
  );
}

/** An SMTP server that accepts connections and never answers. */
async function openSilentSmtpServer() {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
