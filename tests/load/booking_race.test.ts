import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSandbox, queryDatabase, type RunningServer, type Sandbox } from '#support/sandbox.ts';
import { type Wish, wishes } from './bookings.ts';

const CLIENTS = 100;
const KEY = 'a key that two servers share';

describe('a hundred clients who ask for the same time at once', () => {
  let place: Sandbox;
  let server: RunningServer;
  beforeAll(async () => {
    place = await openSandbox();
    server = await place.serve({ env: { SECRET_KEY: KEY } });
  });
  afterAll(() => place[Symbol.asyncDispose]());

  test('one of them gets it, and ninety-nine are told no', async () => {
    await expectOneWinner(place, server, [server]);
  });

  test('the same with two servers on one database', async () => {
    const env = { DATABASE_URL: await place.databaseUrl(), SECRET_KEY: KEY };
    await using elsewhere = await openSandbox();
    await expectOneWinner(place, server, [server, await elsewhere.serve({ env })]);
  });
});

async function expectOneWinner(
  place: Sandbox,
  server: RunningServer,
  servers: RunningServer[],
): Promise<void> {
  const [wish] = await wishes(server);
  if (!wish) throw new Error('No time is free');
  const statuses = await askAtOnce(servers, wish);
  expect(countEach(statuses)).toEqual({ 201: 1, 409: CLIENTS - 1 });
  const { start } = JSON.parse(wish.body);
  const rows = await queryDatabase(
    await place.databaseUrl(),
    'SELECT count(*)::int FROM appointment_times WHERE occupies AND during @> $1::timestamptz',
    [start],
  );
  expect(rows).toEqual([[1]]);
}

/** Each client on a connection of their own; all are connected before the first one speaks up. */
async function askAtOnce(servers: RunningServer[], wish: Wish): Promise<(number | undefined)[]> {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS / servers.length }, () =>
      servers.map((server) => connect(server, wish)),
    ).flat(),
  );
  const answers = clients.map(statusOf);
  for (const client of clients) client.end(wish.body);
  return Promise.all(answers);
}

async function connect({ port }: RunningServer, { body }: Wish): Promise<ClientRequest> {
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
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    client.once('response', resolve).once('error', reject);
  });
  return (await answer).resume().statusCode;
}

function countEach(values: readonly (number | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
}
