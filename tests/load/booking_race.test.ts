import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Confirmation } from '#contract/appointment.ts';
import type { Slot } from '#contract/availability.ts';
import type { Design } from '#contract/design.ts';
import { countStatuses } from '#support/call_api.ts';
import { findBrokenPromises } from '#support/database_promises.ts';
import { expectNoOversoldDesign } from '#support/edition_promises.ts';
import { DESIGN_GONE } from '#support/problems.ts';
import { responseTo } from '#support/response_to.ts';
import { queryDatabase, type RunningServer, serveDemo } from '#support/sandbox.ts';
import {
  type BookingInput,
  book,
  call,
  confirmBooking,
  createBookingInputs,
  fetchConfirmation,
  logIn,
} from './bookings.ts';

const CLIENTS = 100;
const MOVING_CLIENTS = 20;
const PAIRS = 10;

const demo = serveDemo();
/** On one database. */
let servers: readonly [RunningServer, RunningServer];
let databaseUrl: string;
let token: string;
/** Free times of the demo artist ana. */
let free: BookingInput[];

beforeAll(async () => {
  const { sandbox, server } = demo;
  servers = [server, await sandbox.serve({ env: await sandbox.settingsBeside() })];
  databaseUrl = await sandbox.databaseUrl();
  token = await logIn(server, 'ana');
  const notices = { client_move_notice_hours: 0, client_cancel_notice_hours: 0 };
  await call(server, 'PATCH /users/me/schedule', { token, json: notices });
  await call(server, 'PATCH /users/me/booking_range', { token, json: { kind: 'open' } });
  free = await createBookingInputs(server);
});

/** The servers take turns. */
function serverOf(client: number): RunningServer {
  return servers[client % 2 === 0 ? 0 : 1];
}

function takeInput(): BookingInput {
  const input = free.shift();
  if (!input) throw new Error('No slot is free');
  return input;
}

function takeSlot(): Slot {
  const { start, end }: Slot = JSON.parse(takeInput().body);
  return { start, end };
}

describe('a hundred clients book the same slot at once, on two servers', () => {
  /** Connects, so that all bodies can be sent at once. */
  async function connect({ port }: RunningServer, { body }: BookingInput): Promise<ClientRequest> {
    const client = request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/api/v1/appointments/request/service?username=ana',
      agent: false,
      headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    });
    const connected = once(client, 'socket').then(([socket]) => once(socket, 'connect'));
    client.flushHeaders();
    await connected;
    return client;
  }

  test('one booking succeeds, and the other ninety-nine get 409', async () => {
    const booking = takeInput();
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, (_, client) => connect(serverOf(client), booking)),
    );
    const responses = clients.map(async (client) => {
      const { statusCode } = (await responseTo(client)).resume();
      return { status: statusCode };
    });
    for (const client of clients) client.end(booking.body);
    expect(countStatuses(await Promise.all(responses))).toEqual({ 201: 1, 409: CLIENTS - 1 });
    expect(await findBrokenPromises(databaseUrl)).toEqual([]);
  });
});

describe('clients and the artist act at once, on two servers', () => {
  async function hold(): Promise<Confirmation> {
    const { status, body } = await book(servers[0], takeInput());
    expect(status).toBe(201);
    return body;
  }

  async function bookAndConfirm(): Promise<Confirmation> {
    return (await confirmBooking(servers[0], (await hold()).id)).body;
  }

  function move(client: number, { id, version }: Confirmation, slot: Slot) {
    const path = `POST /appointments/confirmation/${id}/move`;
    return call<Confirmation>(serverOf(client), path, { json: { ...slot, version } });
  }

  test('of twenty clients who move to one time, one gets it, and the others keep their own', async () => {
    const booked = [];
    for (let client = 0; client < MOVING_CLIENTS; client += 1) booked.push(await bookAndConfirm());
    const slot = takeSlot();
    const answers = await Promise.all(booked.map((before, client) => move(client, before, slot)));
    expect(countStatuses(answers)).toEqual({ 200: 1, 409: MOVING_CLIENTS - 1 });
    for (const [index, before] of booked.entries()) {
      const { body } = await fetchConfirmation(servers[0], before.id);
      expect(body.start).toBe(answers[index]?.status === 200 ? slot.start : before.start);
    }
    expect(await findBrokenPromises(databaseUrl)).toEqual([]);
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
      expect(countStatuses(answers)).toEqual({ 200: 1, 409: 1 });
      const { body } = await fetchConfirmation(servers[0], id);
      expect(body.status).toBe(answers[0]?.status === 200 ? 'confirmed' : 'cancelled');
    }
    expect(await findBrokenPromises(databaseUrl)).toEqual([]);
  });

  test('a client’s move against the artist’s move: one of them counts, and the other is informed', async () => {
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const booked = await bookAndConfirm();
      const { id, version } = booked;
      const [ofClient, ofArtist] = [takeSlot(), takeSlot()];
      const answers = await Promise.all([
        move(0, booked, ofClient),
        call(servers[1], `PATCH /appointments/${id}`, { token, json: { ...ofArtist, version } }),
      ]);
      expect(countStatuses(answers)).toEqual({ 200: 1, 409: 1 });
      const { body } = await fetchConfirmation(servers[0], id);
      expect(body.start).toBe(answers[0]?.status === 200 ? ofClient.start : ofArtist.start);
    }
    expect(await findBrokenPromises(databaseUrl)).toEqual([]);
  });
});

describe('a hundred clients want the last pieces of a design, on two servers', () => {
  /** Finds a design that is booked with a service: one with a length of its own would refuse it. */
  async function findDesign(index: number): Promise<Design> {
    const { body } = await call<{ data: Design[] }>(servers[0], 'GET /designs/ana/available');
    const design = body.data.filter(({ duration }) => duration === null)[index];
    if (!design) throw new Error('The demo has too few designs');
    return design;
  }

  /** Limits a design to those that it has used up, if any, and so many more. */
  async function leaveEditions(designId: string, editions: number): Promise<void> {
    const limit = (editions: number) =>
      call<Design>(servers[0], `PATCH /designs/${designId}`, { token, json: { editions } });
    const { body } = await limit(CLIENTS);
    expect((await limit(CLIENTS - (body.left ?? 0) + editions)).body.left).toBe(editions);
  }

  /** Each client has a time of their own: they race for the design alone. */
  function bookAtOnce(designId: string, times: readonly BookingInput[]) {
    return Promise.all(
      times.map((time, client) => {
        const body = JSON.stringify({
          ...JSON.parse(time.body),
          design_id: designId,
          email: `client${client}@example.com`,
        });
        return book(serverOf(client), { key: randomUUID(), body });
      }),
    );
  }

  test.each([
    [1, 0],
    [5, 1],
  ])('of a design with %i editions, exactly as many are held', async (editions, index) => {
    const design = await findDesign(index);
    await leaveEditions(design.id, editions);
    const times = (await createBookingInputs(servers[0])).slice(0, CLIENTS);
    expect(times).toHaveLength(CLIENTS);
    const answers = await bookAtOnce(design.id, times);
    const held = answers.filter(({ status }) => status === 201);
    expect(held).toHaveLength(editions);
    for (const answer of answers)
      if (answer.status !== 201) expect(answer).toMatchObject(DESIGN_GONE);
    const { body } = await call<Design>(servers[1], `GET /designs/${design.id}`, { token });
    expect(body).toMatchObject({ status: 'available', left: 0 });
    await expectNoOversoldDesign((statement) => queryDatabase(databaseUrl, statement));

    // Each release gives one back, and only one of those who want it gets it.
    const [released] = held;
    await call(servers[0], `POST /appointments/confirmation/${released?.body.id}/release`);
    const again = await bookAtOnce(design.id, times);
    expect(again.filter(({ status }) => status === 201)).toHaveLength(1);
    await expectNoOversoldDesign((statement) => queryDatabase(databaseUrl, statement));
  });
});
