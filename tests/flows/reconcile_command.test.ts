import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type BilledTestApp, openBilledTestApp } from '#support/billed_test_app.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The exit code and the output of `npm run reconcile`. */
async function reconcile(
  { app, provider }: BilledTestApp,
  env: Readonly<Record<string, string>> = provider.env,
): Promise<{ code: unknown; output: string }> {
  const options = {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: app.databaseUrl,
      SECRET_KEY: 'a secret that only tests know',
      ...env,
    },
  };
  return run(process.execPath, ['scripts/reconcile.ts'], options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );
}

test('npm run reconcile prints the differences, and exits with 1 if one needs a person', async () => {
  const billed = await openBilledTestApp();
  billed.provider.setWebhook(undefined);
  const artist = await billed.app.newArtist();
  const { id } = await billed.subscribe(artist);
  await billed.provider.startSubscription('cus_stranger');
  const { code, output } = await reconcile(billed);
  expect(code).toBe(1);
  expect(output).toContain(id);
  expect(output).toMatch(/^3 differences found, 2 mended\.$/m);
});

test('npm run reconcile exits with 1 and says that billing is off', async () => {
  const billed = await openBilledTestApp();
  const result = await reconcile(billed, {});
  expect(result).toMatchObject({ code: 1, output: expect.stringContaining('Billing is off') });
});
