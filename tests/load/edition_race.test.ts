import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Design } from '#contract/design.ts';
import { expectNoOversoldDesign } from '#support/edition_promises.ts';
import { DESIGN_GONE } from '#support/problems.ts';
import { openSandbox, queryDatabase, type RunningServer, type Sandbox } from '#support/sandbox.ts';
import { type BookingInput, book, call, createBookingInputs, logIn } from './bookings.ts';

const CLIENTS = 100;
const KEY = 'a key that two servers share';

describe('a hundred clients want the last pieces of a design, on two servers with one database', () => {
  const sandboxes: Sandbox[] = [];
  let servers: readonly [RunningServer, RunningServer];
  let databaseUrl: string;
  let token: string;
  /** Free times that no test has used. Each client has their own: they race for the design alone. */
  let free: BookingInput[];

  beforeAll(async () => {
    const [first, second] = [await openSandbox(), await openSandbox()];
    sandboxes.push(first, second);
    const server = await first.serve({ env: { SECRET_KEY: KEY, RATE_LIMIT: 'off' } });
    databaseUrl = await first.databaseUrl();
    const env = { DATABASE_URL: databaseUrl, SECRET_KEY: KEY, RATE_LIMIT: 'off' };
    servers = [server, await second.serve({ env })];
    token = await logIn(server, 'ana');
    await call(server, 'PATCH /users/me/booking_range', { token, json: { kind: 'open' } });
    free = await createBookingInputs(server);
  });
  afterAll(async () => {
    for (const sandbox of sandboxes.toReversed()) await sandbox[Symbol.asyncDispose]();
  });

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

  function bookAtOnce(designId: string, times: readonly BookingInput[]) {
    return Promise.all(
      times.map((time, client) => {
        const body = JSON.stringify({
          ...JSON.parse(time.body),
          design_id: designId,
          email: `client${client}@example.com`,
        });
        return book(servers[client % 2 === 0 ? 0 : 1], { key: randomUUID(), body });
      }),
    );
  }

  test.each([
    [1, 0],
    [5, 1],
  ])('of a design with %i editions, exactly as many are held', async (editions, index) => {
    const design = await findDesign(index);
    await leaveEditions(design.id, editions);
    const times = free.splice(0, CLIENTS);
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
