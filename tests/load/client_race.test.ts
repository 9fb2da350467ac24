import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Confirmation } from '#contract/appointment.ts';
import type { Slot } from '#contract/availability.ts';
import { openSandbox, queryDatabase, type RunningServer, type Sandbox } from '#support/sandbox.ts';
import {
  type BookingInput,
  book,
  call,
  confirmBooking,
  createBookingInputs,
  fetchConfirmation,
  logIn,
} from './bookings.ts';

const CLIENTS = 50;
const PAIRS = 10;
const KEY = 'a key that two servers share';

describe('clients and the artist act at once, on two servers with one database', () => {
  const sandboxes: Sandbox[] = [];
  let servers: readonly [RunningServer, RunningServer];
  let databaseUrl: string;
  let token: string;
  /** Free times that no test has used. */
  let free: BookingInput[];

  beforeAll(async () => {
    const first = await openSandbox();
    const second = await openSandbox();
    sandboxes.push(first, second);
    const server = await first.serve({ env: { SECRET_KEY: KEY } });
    databaseUrl = await first.databaseUrl();
    const env = { DATABASE_URL: databaseUrl, SECRET_KEY: KEY };
    servers = [server, await second.serve({ env })];
    token = await logIn(server, 'ana');
    const notices = { client_move_notice_hours: 0, client_cancel_notice_hours: 0 };
    await call(server, 'PATCH /users/me/schedule', { token, json: notices });
    free = await createBookingInputs(server);
  });
  afterAll(async () => {
    for (const sandbox of sandboxes.toReversed()) await sandbox[Symbol.asyncDispose]();
  });

  function takeSlot(): BookingInput & { readonly slot: Slot } {
    const input = free.shift();
    if (!input) throw new Error('No slot is free');
    const { start, end }: Slot = JSON.parse(input.body);
    return { ...input, slot: { start, end } };
  }

  async function hold(): Promise<Confirmation> {
    const { status, body } = await book(servers[0], takeSlot());
    expect(status).toBe(201);
    return body;
  }

  async function bookAndConfirm(): Promise<Confirmation> {
    return (await confirmBooking(servers[0], (await hold()).id)).body;
  }

  /** No two times of one artist overlap, and each booked appointment has one. */
  async function expectInvariants(): Promise<void> {
    const overlaps = await queryDatabase(
      databaseUrl,
      `SELECT count(*)::int FROM appointment_times a JOIN appointment_times b
       ON a.artist_id = b.artist_id AND a.id < b.id AND a.during && b.during
       WHERE a.occupies AND b.occupies`,
    );
    const wrong = await queryDatabase(
      databaseUrl,
      `SELECT count(*)::int FROM appointments a WHERE a.status = 'confirmed' AND 1 <>
       (SELECT count(*) FROM appointment_times t WHERE t.appointment_id = a.id AND t.occupies)`,
    );
    expect([overlaps, wrong]).toEqual([[[0]], [[0]]]);
  }

  test('of fifty clients who move to one time, one gets it, and the others keep their own', async () => {
    const booked = [];
    for (let client = 0; client < CLIENTS; client += 1) booked.push(await bookAndConfirm());
    const { slot } = takeSlot();
    const answers = await Promise.all(
      booked.map(({ id, version }, index) =>
        call<Confirmation>(
          servers[index % 2 === 0 ? 0 : 1],
          `POST /appointments/confirmation/${id}/move`,
          {
            json: { ...slot, version },
          },
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(CLIENTS - 1);
    for (const [index, before] of booked.entries()) {
      const { body } = await fetchConfirmation(servers[0], before.id);
      const hasMoved = answers[index]?.status === 200;
      expect(body.start).toBe(hasMoved ? slot.start : before.start);
    }
    await expectInvariants();
  });

  test('a confirmation against the artist’s cancellation of what both saw: one of them counts', async () => {
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const { id, version } = await hold();
      const answers = await Promise.all([
        call(servers[0], `POST /appointments/confirmation/${id}`, { json: { version } }),
        call(servers[1], `PATCH /appointments/${id}`, {
          token,
          json: { status: 'cancelled', version },
        }),
      ]);
      const [confirmed, cancelled] = answers.map(({ status }) => status === 200);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const { body } = await fetchConfirmation(servers[0], id);
      expect([body.status === 'confirmed', body.status === 'cancelled']).toEqual([
        confirmed,
        cancelled,
      ]);
    }
    await expectInvariants();
  });

  test('a client’s move against the artist’s move: one of them counts, and the other is informed', async () => {
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const { id, version } = await bookAndConfirm();
      const [ofClient, ofArtist] = [takeSlot().slot, takeSlot().slot];
      const answers = await Promise.all([
        call(servers[0], `POST /appointments/confirmation/${id}/move`, {
          json: { ...ofClient, version },
        }),
        call(servers[1], `PATCH /appointments/${id}`, { token, json: { ...ofArtist, version } }),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const { body } = await fetchConfirmation(servers[0], id);
      expect(body.start).toBe(answers[0]?.status === 200 ? ofClient.start : ofArtist.start);
    }
    await expectInvariants();
  });
});
