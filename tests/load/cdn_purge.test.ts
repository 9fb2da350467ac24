import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Design } from '#contract/design.ts';
import { openSandbox } from '#support/sandbox.ts';
import { openVarnish } from '#support/varnish.ts';
import { call, logIn } from './bookings.ts';

const KEY = 'a key that three servers share';
const EDITS = 20;
/** How long after an edit was answered nobody may get the old page any more. */
const LATEST_MS = 200;
const WATCHED_MS = 400;
const WAIT = { timeout: 30_000, interval: 5 };

test('after an edit was answered, nobody sees the old page later than 200 ms, at any of three servers or at the Varnish in front', async ({
  annotate,
}) => {
  await using place = await openSandbox();
  await using second = await openSandbox();
  await using third = await openSandbox();
  // Servers know the Varnish that they purge, and it knows them.
  await using varnish = await openVarnish([1]);
  const env = { SECRET_KEY: KEY, VARNISH_URLS: varnish.url };
  const one = await place.serve({ env });
  const elsewhere = { env: { ...env, DATABASE_URL: await place.databaseUrl() } };
  const servers = [one, await second.serve(elsewhere), await third.serve(elsewhere)];
  await varnish.setBackends(servers.map(({ port }) => port));
  await varnish.waitForHealthy(3);

  const token = await logIn(one, 'ana');
  const { body: designs } = await call<{ data: Design[] }>(one, 'GET /designs/ana/available');
  const [design] = designs.data;
  if (!design) throw new Error('The demo has no designs');
  const edit = async (server: { url: string }, version: number) => {
    const { status } = await call(server, `PATCH /designs/${design.id}`, {
      token,
      json: { name: `Anchor ${version}.` },
    });
    expect(status).toBe(200);
  };
  await edit(one, 0);

  const clients = [...servers, varnish].map(({ url }) => watch(`${url}/ana`));
  try {
    for (let version = 1; version <= EDITS; version++) {
      // What is old by then is kept everywhere.
      await allSee(clients, version - 1);
      await edit([...servers, varnish][version % 4] ?? one, version);
      const answered = performance.now();
      for (const client of clients) client.outdate(version, answered);
      await allSee(clients, version);
      await pause(Math.max(0, answered + WATCHED_MS - performance.now()));
    }
  } finally {
    await Promise.all(clients.map((client) => client.stop()));
  }
  const latest = clients.map((client) => Math.round(client.latestOld()));
  await annotate(`Old pages were asked for until ${latest.join(', ')} ms after the answer.`);
  // A busy machine may fail to answer: that is nothing old, but is told.
  const failures = clients.flatMap((client) => client.failures());
  if (failures.length > 0) await annotate(`${failures.length} not answered: ${failures[0]}`);
  for (const late of latest) expect(late).toBeLessThan(LATEST_MS);
  expect(await varnish.countHits()).toBeGreaterThan(0);
}, 180_000);

async function allSee(clients: readonly ReturnType<typeof watch>[], version: number) {
  await vi.waitFor(() => {
    for (const client of clients) expect(client.sees()).toBe(version);
  }, WAIT);
}

/** Asks for a page over and over, and sees which version of the design it shows. */
function watch(url: string) {
  const answeredAt = new Map<number, number>();
  /** When each page was asked for that was answered. */
  const seen: { version: number; askedAt: number }[] = [];
  const failures: string[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const askedAt = performance.now();
      try {
        const page = await (await fetch(url)).text();
        const [, version] = /Anchor (\d+)\./.exec(page) ?? [];
        if (version === undefined) failures.push(`${url}: ${page.slice(0, 200)}`);
        else seen.push({ version: Number(version), askedAt });
      } catch (error) {
        failures.push(`${url}: ${error}`);
      }
      await pause(5);
    }
  })();
  return {
    sees: () => seen.at(-1)?.version,
    outdate: (by: number, at: number) => answeredAt.set(by, at),
    failures: () => failures,
    /** The longest after an edit was answered that a page was asked for and came as it was before. */
    latestOld: () =>
      Math.max(
        0,
        ...seen.map(({ version, askedAt }) => askedAt - (answeredAt.get(version + 1) ?? askedAt)),
      ),
    async stop() {
      isOver = true;
      await watching;
    },
  };
}
