import { expect, test } from 'vitest';
import { ensureSuperuser } from '#server/operations/studio/accounts.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const FIRST = { email: 'chief@example.com', password: 'correct horse' };

async function setUp() {
  const app = await openTestApp({ database: 'own' });
  return { app, ...(await openTestContext({ database: app.database })) };
}

async function listSuperusers(app: Awaited<ReturnType<typeof openTestApp>>): Promise<string[]> {
  const rows = await app.database
    .selectFrom('artists')
    .select('email')
    .where('is_superuser', '=', true)
    .execute();
  return rows.map(({ email }) => email);
}

test('servers that start concurrently create one superuser', async () => {
  const { app, context } = await setUp();
  await Promise.all([ensureSuperuser(context, FIRST), ensureSuperuser(context, FIRST)]);
  expect(await listSuperusers(app)).toEqual(['chief@example.com']);
});

test('a superuser who changed their email is not created again', async () => {
  const { app, context } = await setUp();
  await ensureSuperuser(context, FIRST);
  await app.database
    .updateTable('artists')
    .set({ email: 'boss@example.com' })
    .where('is_superuser', '=', true)
    .execute();
  await ensureSuperuser(context, FIRST);
  expect(await listSuperusers(app)).toEqual(['boss@example.com']);
});

test('an artist with the configured email does not become a superuser', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const { context } = await openTestContext({ database: app.database });
  await ensureSuperuser(context, { ...FIRST, email: artist.self.email });
  expect(await listSuperusers(app)).toEqual([]);
});
