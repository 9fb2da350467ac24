import { expect, test } from 'vitest';
import { APPOINTMENT_STATUSES } from '#domain/appointments/appointment.ts';
import { usesEdition } from '#domain/booking/editions.ts';
import { HOUR_MS } from '#domain/time/time.ts';
import type { Database } from '#server/database/connect.ts';
import { countUsedEditions, listEditionUses } from '#server/database/editions.ts';
import { findArtistDesign } from '#server/operations/catalogue/designs.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, addDesign, NOON } from '#support/database_rows.ts';
import { UNKNOWN_ID } from '#support/problems.ts';

const NOBODY = { id: null, project_id: null };

async function setUp(editions: number | null = 2) {
  const { database, artist } = await openArtistContext();
  const { id: designId } = await addDesign(database, artist, { editions });
  let day = 0;
  const add = (changes: Parameters<typeof addAppointment>[2] = {}) => {
    day += 1;
    return addAppointment(database, artist, {
      designId,
      start: NOON + day * 24 * HOUR_MS,
      ...changes,
    });
  };
  return { database, artist, designId, add };
}

function setColumns(database: Database, id: string, columns: object) {
  return database.updateTable('appointments').set(columns).where('id', '=', id).execute();
}

test.each(APPOINTMENT_STATUSES)('%s counts in SQL as it does in the domain', async (status) => {
  const { database, designId, add } = await setUp();
  const expiresAt = NOON;
  const id = await add({ status, expiresAt });
  const time = { start: NOON, end: NOON, expiresAt };
  for (const [isReserved, keepsEdition] of [
    [true, false],
    [false, false],
    [true, true],
  ] as const) {
    await setColumns(database, id, { keeps_edition: keepsEdition });
    const times = database.updateTable('appointment_times').set({ occupies: isReserved });
    await times.where('appointment_id', '=', id).execute();
    const use = { status, time, isReserved, keepsEdition };
    for (const now of [NOON - 1, NOON])
      expect([use, now, await countUsedEditions(database, designId, now, NOBODY)]).toEqual([
        ...[use, now],
        usesEdition(use, now) ? 1 : 0,
      ]);
  }
});

test('a hold without a deadline uses up an edition', async () => {
  const { database, designId, add } = await setUp();
  await add({ status: 'held' });
  expect(await countUsedEditions(database, designId, NOON, NOBODY)).toBe(1);
});

test('the sessions of a project count once, and the one that is judged does not count', async () => {
  const { database, designId, add } = await setUp();
  const [first, second, other] = [await add(), await add(), await add()];
  for (const id of [first, second]) await setColumns(database, id, { project_id: first });
  const count = (except: Parameters<typeof countUsedEditions>[3]) =>
    countUsedEditions(database, designId, NOON, except);
  expect(await count(NOBODY)).toBe(2);
  expect(await count({ id: other, project_id: null })).toBe(1);
  expect(await count({ id: second, project_id: first })).toBe(1);
  expect(await count({ id: null, project_id: first })).toBe(1);
  expect(await countUsedEditions(database, UNKNOWN_ID, NOON, NOBODY)).toBe(0);
});

test('a design has its use and its first deadline, only with a limit', async () => {
  const { database, artist, designId, add } = await setUp();
  await add();
  const expiresAt = Date.now() + HOUR_MS;
  await add({ status: 'held', expiresAt });
  await add({ status: 'held', expiresAt: expiresAt + 1 });
  const use = { used: 3, frees_at: expiresAt };
  expect((await findArtistDesign(database, artist.id, designId))?.edition_use).toEqual(use);
  expect(await listEditionUses(database, artist.id)).toEqual([{ edition_use: use }]);
  const free = await addDesign(database, artist);
  expect((await findArtistDesign(database, artist.id, free.id))?.edition_use).toBeNull();
});
