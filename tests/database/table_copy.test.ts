import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import {
  beginSnapshot,
  copyIn,
  copyOut,
  countRows,
  findAnyObject,
  listCopiedTables,
  openCopyConnection,
  prepareLoading,
} from '#server/database/table_copy.ts';
import { createEmptyDatabase } from '#support/empty_database.ts';

test('a snapshot does not show rows that are committed after it began', async () => {
  const url = await createEmptyDatabase();
  await using reader = await openCopyConnection(url);
  await using writer = await openCopyConnection(url);
  await writer.client.query('CREATE TABLE notes (id int, note text); INSERT INTO notes VALUES (1)');
  await beginSnapshot(reader.client);
  await writer.client.query('INSERT INTO notes VALUES (2); DELETE FROM notes WHERE id = 1');
  const [notes] = await listCopiedTables(reader.client);
  if (!notes) throw new Error('The table is missing');
  expect(await text(copyOut(reader.client, notes))).toBe('1\t\\N\n');
});

test('rows of every form are copied as they are, in spite of circles of foreign keys, triggers, identity and generated columns', async () => {
  const schema = `
    CREATE EXTENSION btree_gist;
    CREATE TABLE "Two words" (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, b int, note text,
      length int GENERATED ALWAYS AS (length(note)) STORED);
    CREATE TABLE b (id int PRIMARY KEY, a bigint NOT NULL REFERENCES "Two words", bytes bytea, at timestamptz);
    ALTER TABLE "Two words" ADD FOREIGN KEY (b) REFERENCES b;
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;`;
  const trigger = 'CREATE TRIGGER refuse BEFORE INSERT ON b FOR EACH ROW EXECUTE FUNCTION refuse()';
  await using from = await openCopyConnection(await createEmptyDatabase());
  await from.client.query(schema);
  await from.client.query(`
    INSERT INTO "Two words" (note) VALUES (E'tab\\t back\\\\slash \\n ü 🦋'), (NULL), ('\\N');
    INSERT INTO b VALUES (7, 3, '\\x00ff', '2026-03-29 02:30:00.123456+01'), (8, 1, NULL, 'infinity');
    UPDATE "Two words" SET b = 7 WHERE id = 1`);
  await from.client.query(trigger);
  const toUrl = await createEmptyDatabase();
  await using to = await openCopyConnection(toUrl);
  expect(await findAnyObject(to.client)).toBeUndefined();
  await to.client.query('BEGIN');
  await to.client.query(schema);
  await to.client.query(trigger);
  const loading = await prepareLoading(to.client);
  for (const table of await listCopiedTables(from.client)) {
    const rows = copyIn(to.client, table);
    rows.end(await text(copyOut(from.client, table)));
    await finished(rows);
  }
  await loading.finish();
  await to.client.query('COMMIT');
  expect(await findAnyObject(to.client)).toBe('the table Two words');
  for (const query of ['SELECT * FROM "Two words" ORDER BY id', 'SELECT * FROM b ORDER BY id'])
    expect((await to.client.query(query)).rows).toEqual((await from.client.query(query)).rows);
  expect(await countRows(to.client, 'Two words')).toBe(3);
  const { rows } = await to.client.query(`INSERT INTO "Two words" (b) VALUES (7) RETURNING id`);
  expect(rows).toEqual([{ id: '4' }]);
  await expect(to.client.query('INSERT INTO "Two words" (b) VALUES (9)')).rejects.toThrow(
    'foreign',
  );
  await expect(to.client.query('INSERT INTO b VALUES (9, 1)')).rejects.toThrow('no');
});

test('the tables of extensions and those of exports are left out', async () => {
  await using connection = await openCopyConnection(await createEmptyDatabase());
  await connection.client.query(
    'CREATE TABLE exports (id int); CREATE TABLE export_files (id int); CREATE TABLE kept (id int)',
  );
  expect(await listCopiedTables(connection.client)).toEqual([{ name: 'kept', columns: ['id'] }]);
});
