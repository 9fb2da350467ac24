import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { addArtist } from '#support/database_rows.ts';
import { queryDatabase } from '#support/sandbox.ts';
import { openTestApp } from '#support/test_app.ts';

test('an upgrade stores emails, usernames and names in NFC; two that would become equal stay', async () => {
  const { database, databaseUrl } = await openTestApp({ database: 'own' });
  const [zoe, jose] = ['zoë'.normalize('NFD'), 'josé'.normalize('NFD')];
  for (const username of [zoe, 'josé', jose])
    await addArtist(database, { username, full_name: username }, { city: username });
  await queryDatabase(
    databaseUrl,
    await readFile('src/server/database/migrations/0006_normalized_texts.sql', 'utf8'),
  );
  const rows = `SELECT username, email, full_name, city FROM artists
    JOIN studios ON studio_id = studios.id ORDER BY artists.created_at`;
  expect(await queryDatabase(databaseUrl, rows)).toEqual([
    ['zoë', 'zoë@example.com', 'zoë', 'zoë'],
    ['josé', 'josé@example.com', 'josé', 'josé'],
    [jose, `${jose}@example.com`, 'josé', 'josé'],
  ]);
});
