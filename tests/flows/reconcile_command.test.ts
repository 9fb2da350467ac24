import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type BilledTestApp, openBilledTestApp } from '#support/billed_test_app.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** What `npm run reconcile` says, and how it ends. */
async function reconcile(
  { app, provider }: BilledTestApp,
  env: Readonly<Record<string, string>> = provider.env,
): Promise<{ code: unknown; said: string }> {
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
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
  );
}

test('it says what it found, and ends with 1 when something is left to a person', async () => {
  const billed = await openBilledTestApp();
  billed.provider.tell(undefined);
  const artist = await billed.app.newArtist();
  const { id } = await billed.subscribe(artist);
  await billed.provider.begin('cus_stranger');
  const { code, said } = await reconcile(billed);
  expect(code).toBe(1);
  expect(said).toContain(id);
  expect(said).toMatch(/^3 differences found, 2 mended\.$/m);
});

test('it says that billing is off', async () => {
  const billed = await openBilledTestApp();
  const answer = await reconcile(billed, {});
  expect(answer).toMatchObject({ code: 1, said: expect.stringContaining('Billing is off') });
});

test('it says that the card provider cannot be reached, and no secret', async () => {
  const billed = await openBilledTestApp();
  billed.provider.be('failing');
  const { code, said } = await reconcile(billed);
  expect(code).toBe(1);
  expect(said).toContain('The card provider cannot be reached right now.');
  expect(said).not.toContain(billed.provider.account.secretKey);
});

test('a key of another account is answered in the same words, and not printed', async () => {
  const billed = await openBilledTestApp();
  const { code, said } = await reconcile(billed, {
    ...billed.provider.env,
    STRIPE_SECRET_KEY: 'sk_test_of_someone_else',
  });
  expect(code).toBe(1);
  expect(said).toContain('The card provider cannot be reached right now.');
  expect(said).not.toContain('sk_test_of_someone_else');
});
