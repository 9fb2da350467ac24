import { expect, test } from 'vitest';
import { createAccount, deleteAccount, updateAccount } from '#server/operations/accounts.ts';
import { listAdminActions } from '#server/operations/admin_actions.ts';
import { renderRecoveryMail } from '#server/operations/password_recovery.ts';
import type { TokenOwner } from '#server/operations/sessions.ts';
import { addArtist } from '#support/database_rows.ts';
import { PASSWORD } from '#support/new_artist.ts';
import { NEW_YORK } from '#support/sample_people.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const NOW = Date.now();

test('what a superuser does to accounts by the API is recorded, with the names of the fields', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const { context } = await openTestContext({ database });
  const { id } = await addArtist(database, { username: 'boss', is_superuser: true });
  const boss: TokenOwner = {
    ...{ id, sessionId: id, isSuperuser: true, isEmailProven: true },
  };
  const { id: artistId, email } = await createAccount(context, boss, {
    ...{ email: 'ana@example.com', full_name: 'Ana', username: 'ana', password: PASSWORD },
    ...{ studio_name: 'Quint', ...NEW_YORK },
    ...{ address_two: null, is_active: true, is_superuser: false },
  });
  await updateAccount(context, boss, artistId, { about_me: 'Birds', is_active: true }, NOW);
  await updateAccount(context, boss, artistId, { password: 'battery staple' }, NOW);
  await renderRecoveryMail(context, boss, email);
  await deleteAccount(context, boss, artistId);
  const { data, count } = await listAdminActions(context, { skip: 0, limit: 10 });
  expect(count).toBe(5);
  expect(data.map(({ kind, detail }) => [kind, detail])).toEqual([
    ['account_deleted', null],
    ['recovery_link_created', null],
    ['account_changed', 'password'],
    ['account_changed', 'about_me'],
    ['account_created', null],
  ]);
  expect(data[0]).toMatchObject({ superuser: 'boss', artist: null });
});
