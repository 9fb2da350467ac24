import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { clientName, containsText } from '#server/database/search.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addClient } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

/** Whether PostgreSQL finds the part in the text. */
async function finds(text: string, part: string): Promise<boolean> {
  const { database } = await openTestApp();
  const { rows } = await sql<{ found: boolean }>`
    SELECT ${containsText(part, sql`${text}`)} AS found
  `.execute(database);
  return rows[0]?.found ?? false;
}

test('wildcards and backslashes are matched literally', async () => {
  for (const character of ['%', '_', '\\', '\\%']) {
    expect(await finds(`a${character}b`, character), character).toBe(true);
    expect(await finds('a b', character), character).toBe(false);
  }
});

test('a client’s name is first and last name with one space, or the only one', async () => {
  const { database, artist } = await openArtistContext();
  const names = [
    ['Rosa', 'Quint'],
    [null, 'Quint'],
    ['Rosa', null],
    [null, null],
  ] as const;
  const found: string[] = [];
  for (const [first_name, last_name] of names) {
    const id = await addClient(database, artist, { first_name, last_name });
    const row = await database
      .selectFrom('clients')
      .select(clientName('clients').as('name'))
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    found.push(row.name);
  }
  expect(found).toEqual(['Rosa Quint', 'Quint', 'Rosa', '']);
});
