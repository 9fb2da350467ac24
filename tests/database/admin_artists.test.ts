import { expect, test } from 'vitest';
import { insertAdminAction } from '#server/database/admin_actions.ts';
import { findAdminArtist, listAdminArtists } from '#server/database/admin_artists.ts';
import { updateArtist } from '#server/database/artists.ts';
import { insertSecurityEvent } from '#server/database/security_events.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const PAGE = { skip: 0, limit: 10 };

test('accounts are found by a part of their name, username or email, or by the id that the log names, the newest first', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const { id } = await addArtist(database, { username: 'ana', full_name: 'Ana Reyes' });
  await addArtist(database, { username: 'bo', email: 'REYES@example.com', is_superuser: true });
  await addArtist(database, { username: 'cleo', is_active: false });
  const namesOf = async (search: string | undefined) =>
    (await listAdminArtists(database, search, PAGE)).rows.map(({ username }) => username);
  expect(await namesOf(undefined)).toEqual(['cleo', 'bo', 'ana']);
  expect(await namesOf('reyes')).toEqual(['bo', 'ana']);
  expect(await namesOf('CLE')).toEqual(['cleo']);
  expect(await namesOf('%')).toEqual([]);
  expect(await namesOf(id.toUpperCase())).toEqual(['ana']);
  expect(await namesOf(id.slice(1))).toEqual([]);
});

test('an account shows its last login, and since when it is inactive', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const { id } = await addArtist(database);
  expect(await findAdminArtist(database, id)).toMatchObject({
    last_login_at: null,
    inactive_since: null,
  });
  await insertSecurityEvent(database, { artistId: id, kind: 'new_browser_login' });
  await insertSecurityEvent(database, { artistId: id, kind: 'password_changed' });
  const loginAt = await database
    .selectFrom('security_events')
    .select('happened_at')
    .where('kind', '=', 'new_browser_login')
    .executeTakeFirstOrThrow();
  const superuser = await addArtist(database, { is_superuser: true });
  const action = { superuserId: superuser.id, artistId: id, kind: 'account_deactivated' } as const;
  await insertAdminAction(database, action);
  // It was deactivated, and is active again.
  expect(await findAdminArtist(database, id)).toMatchObject({
    last_login_at: loginAt.happened_at,
    inactive_since: null,
  });
  await updateArtist(database, id, { is_active: false });
  expect((await findAdminArtist(database, id))?.inactive_since).toBeInstanceOf(Date);
});
