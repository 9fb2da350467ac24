import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openDemo } from '#support/sandbox.ts';
import { openVarnish } from '#support/varnish.ts';
import { openEdits, watchVersions } from './page_versions.ts';

const EDITS = 8;
/** How long after the response to an edit a request may still get the old page. */
const MAX_STALE_MS = 200;
const WATCHED_MS = 300;
const WAIT = { timeout: 30_000, interval: 5 };

test('requests later than 200 ms after the response to an edit get the new page, from three servers and from Varnish', async ({
  annotate,
}) => {
  await using sandbox = await openDemo();
  // Servers and Varnish need each other's addresses, so Varnish starts with a dummy backend.
  await using varnish = await openVarnish([1]);
  const env = { VARNISH_URLS: varnish.url };
  const first = await sandbox.serve({ env });
  const serveBeside = async () =>
    sandbox.serve({ env: { ...(await sandbox.settingsBeside()), ...env } });
  const servers = [first, await serveBeside(), await serveBeside()];
  await varnish.setBackends(servers.map(({ port }) => port));
  await varnish.waitForHealthy(3);

  const edit = await openEdits(first);
  const clients = [...servers, varnish].map(watchVersions);
  const waitForVersion = (version: number) =>
    vi.waitFor(() => {
      for (const client of clients) expect(client.latestVersion()).toBe(version);
    }, WAIT);
  try {
    for (let version = 1; version <= EDITS; version++) {
      // The previous version is now cached everywhere.
      await waitForVersion(version - 1);
      await edit([...servers, varnish][version % 4] ?? first, version);
      const respondedAt = performance.now();
      for (const client of clients) client.recordEdit(version, respondedAt);
      await waitForVersion(version);
      await sleep(Math.max(0, respondedAt + WATCHED_MS - performance.now()));
    }
  } finally {
    await Promise.all(clients.map((client) => client.stop()));
  }
  const stale = clients.map((client) => Math.round(client.staleMs()));
  await annotate(
    `The last requests that got an old page started ${stale.join(', ')} ms after the edit.`,
  );
  // On a busy machine requests may fail. That is not a stale page, so it is only annotated.
  const failures = clients.flatMap((client) => client.failures);
  if (failures.length > 0) await annotate(`${failures.length} failed requests: ${failures[0]}`);
  for (const ms of stale) expect(ms).toBeLessThan(MAX_STALE_MS);
  // Varnish counts the requests of a connection once it has been idle for a while (`timeout_linger`, 50 ms).
  await vi.waitFor(async () => expect(await varnish.countHits()).toBeGreaterThan(0), WAIT);
}, 180_000);
