import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSandbox, queryDatabase, type RunningServer, type Sandbox } from '#support/sandbox.ts';
import { type BookingInput, createBookingInputs } from './bookings.ts';

const CLIENTS = 100;
const KEY = 'a key that two servers share';

describe('a hundred concurrent bookings of the same slot', () => {
  let sandbox: Sandbox;
  let server: RunningServer;
  beforeAll(async () => {
    sandbox = await openSandbox();
    server = await sandbox.serve({ env: { SECRET_KEY: KEY } });
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test('one booking succeeds, and the other ninety-nine get 409', async () => {
    await expectOneWinner(sandbox, server, [server]);
  });

  test('one booking succeeds across two servers on one database', async () => {
    const env = { DATABASE_URL: await sandbox.databaseUrl(), SECRET_KEY: KEY };
    await using otherSandbox = await openSandbox();
    await expectOneWinner(sandbox, server, [server, await otherSandbox.serve({ env })]);
  });
});

async function expectOneWinner(
  sandbox: Sandbox,
  server: RunningServer,
  servers: RunningServer[],
): Promise<void> {
  const [booking] = await createBookingInputs(server);
  if (!booking) throw new Error('No slot is free');
  const statuses = await sendAtOnce(servers, booking);
  expect(countValues(statuses)).toEqual({ 201: 1, 409: CLIENTS - 1 });
  const { start } = JSON.parse(booking.body);
  const rows = await queryDatabase(
    await sandbox.databaseUrl(),
    // Another artist of the demo may be busy at this time.
    `SELECT count(*)::int FROM appointment_times WHERE occupies AND during @> $1::timestamptz
      AND artist_id = (SELECT id FROM artists WHERE username = 'ana')`,
    [start],
  );
  expect(rows).toEqual([[1]]);
}

/** Opens a connection for each client, then sends all bookings at once. */
async function sendAtOnce(
  servers: RunningServer[],
  booking: BookingInput,
): Promise<(number | undefined)[]> {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS / servers.length }, () =>
      servers.map((server) => connect(server, booking)),
    ).flat(),
  );
  const statuses = clients.map(statusOf);
  for (const client of clients) client.end(booking.body);
  return Promise.all(statuses);
}

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

async function statusOf(client: ClientRequest): Promise<number | undefined> {
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    client.once('response', resolve).once('error', reject);
  });
  return (await response).resume().statusCode;
}

function countValues(values: readonly (number | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
}
