import { createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { openSandbox, queryDatabase, type RunningServer, type Sandbox } from '#support/sandbox.ts';
import { openSmtpServer, type SmtpServer } from '#support/smtp_server.ts';
import { book, confirmBooking, type Wish, wishes } from './bookings.ts';

const KEY = 'a key that two servers share';
const CLIENTS = 10;
/** Mails of one booking: to confirm it, that it is booked, and to the artist. */
const MAILS_EACH = 3;
/** Mails that a server may have in hand at once. */
const IN_HAND = 5;

describe.concurrent('mail', () => {
  test('a hundred bookings are confirmed while the mail server is down; then each mail comes once', async () => {
    await using smtp = await openSmtpServer();
    await using place = await openSandbox();
    await smtp.stop();
    const server = await place.serve({ env: { SMTP_URL: smtp.url } });
    const ids = await bookAll([server], (await wishes(server)).slice(0, 100));
    expect(ids).toHaveLength(100);
    expect(await countMails(place, 'sent')).toBe(0);
    await smtp.start();
    await untilAllSent(place, ids.length * MAILS_EACH);
    expectEachOnce(smtp, ids.length * MAILS_EACH);
    expect(subjectsOf(smtp)).toEqual({ client: 200, artist: 100 });
  }, 180_000);

  test('a mail server that takes connections and says nothing delays no booking', async () => {
    await using silent = await openSilence();
    await using place = await openSandbox();
    const server = await place.serve({ env: { SMTP_URL: silent.url } });
    const ids = await bookAll([server], (await wishes(server)).slice(0, 20));
    expect(ids).toHaveLength(20);
    expect(silent.callers()).toBeGreaterThan(0);
    expect(await countMails(place, 'sent')).toBe(0);
  }, 120_000);

  test('a server that is killed while it sends loses no mail, and repeats at most those in hand', async () => {
    await using smtp = await openSmtpServer({ beforeAccepting: () => wait(50) });
    await using place = await openSandbox();
    const server = await place.serve({ env: { SMTP_URL: smtp.url } });
    const ids = await bookAll([server], (await wishes(server)).slice(0, 40));
    await vi.waitFor(() => expect(smtp.mails.length).toBeGreaterThan(20), WAIT);
    server.process.kill('SIGKILL');
    await server.exited;
    expect(await countMails(place, 'queued').catch(() => 1)).toBeGreaterThan(0);
    await place.serve({ env: { SMTP_URL: smtp.url } });
    await untilAllSent(place, ids.length * MAILS_EACH);
    const deliveries = [...smtp.countDeliveries().values()];
    expect(deliveries).toHaveLength(ids.length * MAILS_EACH);
    expect(Math.max(...deliveries)).toBeLessThanOrEqual(2);
    expect(deliveries.filter((times) => times === 2).length).toBeLessThanOrEqual(IN_HAND);
  }, 180_000);

  test('two servers send each mail and each reminder once, and tell the log no address', async () => {
    await using smtp = await openSmtpServer();
    await using place = await openSandbox();
    const env = { SMTP_URL: smtp.url, SECRET_KEY: KEY };
    const one = await place.serve({ env });
    await using elsewhere = await openSandbox();
    const url = await place.databaseUrl();
    const other = await elsewhere.serve({ env: { ...env, DATABASE_URL: url } });
    const ids = await bookAll([one, other], (await wishes(one)).slice(0, 30));
    await untilAllSent(place, ids.length * MAILS_EACH);
    expectEachOnce(smtp, ids.length * MAILS_EACH);
    // They look once a minute for reminders that have fallen due since.
    await vi.waitFor(
      async () => expect(await queryDatabase(url, 'TABLE reminder_sweep')).toHaveLength(1),
      WAIT,
    );
    await bringForward(place, '24 hours 20 seconds');
    await untilAllSent(place, ids.length * (MAILS_EACH + 1));
    expectEachOnce(smtp, ids.length * (MAILS_EACH + 1));
    for (const server of [one, other])
      expect(withoutDemo(server.output())).not.toMatch(/rosa@|ana@example/);
  }, 240_000);
});

const WAIT = { timeout: 120_000, interval: 50 };

/** Books and confirms each, a few at a time, at one server after the other; answers their ids. */
async function bookAll(servers: readonly RunningServer[], all: readonly Wish[]): Promise<string[]> {
  const ids: string[] = [];
  const open = [...all];
  const client = async (_: unknown, nth: number) => {
    const server = servers[nth % servers.length];
    for (let wish = open.pop(); server && wish; wish = open.pop()) {
      const held = await book(server, wish);
      expect(held.status).toBe(201);
      expect((await confirmBooking(server, held.body.id)).status).toBe(200);
      ids.push(held.body.id);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return ids;
}

/** What a server wrote, but for how to log in as one of the demo. */
function withoutDemo(output: string): string {
  return output.replace(/Log in as .*/, '');
}

async function countMails(place: Sandbox, status: string): Promise<number> {
  const [row] = await queryDatabase(
    await place.databaseUrl(),
    'SELECT count(*)::int FROM mails WHERE status = $1 AND appointment_id IS NOT NULL',
    [status],
  );
  return Number(row?.[0]);
}

async function untilAllSent(place: Sandbox, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await countMails(place, 'sent')).toBe(count), WAIT);
  expect(await countMails(place, 'queued')).toBe(0);
}

/** Exactly so many mails arrived, no two of them the same. */
function expectEachOnce(smtp: SmtpServer, count: number): void {
  const deliveries = [...smtp.countDeliveries().values()];
  expect(deliveries.filter((times) => times > 1)).toEqual([]);
  expect(deliveries).toHaveLength(count);
}

function subjectsOf({ mails }: SmtpServer): { client: number; artist: number } {
  const to = (address: string) =>
    mails.filter(({ envelope }) => envelope.to.includes(address)).length;
  return { client: to('rosa@example.com'), artist: to('ana@example.com') };
}

/** Moves every confirmed time to so long from now, none on top of another. */
async function bringForward(place: Sandbox, ahead: string): Promise<void> {
  await queryDatabase(
    await place.databaseUrl(),
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

/** A mail server that never says a word. */
async function openSilence() {
  let callers = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    callers += 1;
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
    callers: () => callers,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
