import { expect, test } from 'vitest';
import { NEXT_MIGRATION, NEXT_SQL } from '#support/next_version.ts';
import { openDemo, queryDatabase } from '#support/sandbox.ts';
import { call } from './bookings.ts';
import { copyNextVersion } from './next_version.ts';

test('a rolling upgrade: the next version migrates, the running server answers and writes as before, and a new start of the older version is refused by name unless it is allowed', async () => {
  await using sandbox = await openDemo();
  const running = await sandbox.serve();
  const url = await sandbox.databaseUrl();
  const settings = async () => ({ env: await sandbox.settingsBeside() });
  const next = await sandbox.serve({
    ...(await settings()),
    programFolder: await copyNextVersion(NEXT_SQL.can),
  });
  const applied = await queryDatabase(url, 'SELECT name FROM migrations ORDER BY name');
  expect(applied.at(-1)).toEqual([NEXT_MIGRATION]);
  expect(await queryDatabase(url, 'SELECT made_up FROM artists LIMIT 1')).toHaveLength(1);

  const { env } = await settings();
  const ALLOW_NEWER_DATABASE = '1';
  const refusal = new RegExp(`does not know ${NEXT_MIGRATION}.*ALLOW_NEWER_DATABASE=1`);
  const migrate = ['run', '--silent', 'migrate'];
  for (const npmArgs of [undefined, migrate]) {
    const refused = sandbox.launch({ env, ...(npmArgs && { npmArgs }) });
    await refused.waitForOutput(refusal);
    const { code, output } = await refused.exited;
    expect([code, output]).toEqual([1, expect.not.stringMatching(/^\s+at /m)]);
  }
  const allowed = await sandbox.serve({ env: { ...env, ALLOW_NEWER_DATABASE } });
  expect(allowed.output()).toContain(NEXT_MIGRATION);
  for (const server of [running, next, allowed]) {
    for (const path of ['/readyz', '/ana'])
      expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
    const json = { name: 'Rosa', email: 'rosa@example.com', message: 'Hello' };
    expect((await call(server, 'POST /users/artist/ana/contact', { json })).status).toBe(201);
  }
});
