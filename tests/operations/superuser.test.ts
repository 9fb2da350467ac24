import { expect, test } from 'vitest';
import { ensureSuperuser } from '#server/operations/superuser.ts';
import { openTestApp } from '#support/test_app.ts';

const FIRST = { email: 'chief@example.com', password: 'correct horse' };

async function superusers(studio: Awaited<ReturnType<typeof openTestApp>>): Promise<string[]> {
  const rows = await studio.database
    .selectFrom('artists')
    .select('email')
    .where('is_superuser', '=', true)
    .execute();
  return rows.map(({ email }) => email);
}

test('servers that start together make one superuser', async () => {
  const studio = await openTestApp({ database: 'own' });
  await Promise.all([ensureSuperuser(studio, FIRST), ensureSuperuser(studio, FIRST)]);
  expect(await superusers(studio)).toEqual(['chief@example.com']);
});

test('a superuser who changed their email is not made a second time', async () => {
  const studio = await openTestApp({ database: 'own' });
  await ensureSuperuser(studio, FIRST);
  await studio.database
    .updateTable('artists')
    .set({ email: 'boss@example.com' })
    .where('is_superuser', '=', true)
    .execute();
  await ensureSuperuser(studio, FIRST);
  expect(await superusers(studio)).toEqual(['boss@example.com']);
});

test('an artist who has the email already stays an artist', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  await ensureSuperuser(studio, { ...FIRST, email: artist.self.email });
  expect(await superusers(studio)).toEqual([]);
});
