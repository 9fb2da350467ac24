import { expect, test } from 'vitest';
import type { OwnArtistChanges } from '#contract/artist.ts';
import { undoStudioChange, updateOwnAccount } from '#server/operations/studio/artists.ts';
import { addAppointment, addArtist } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

async function setUp() {
  const { context, invalidatedTags } = await openTestContext();
  const artist = await addArtist(context.database);
  const owner = { id: artist.id, sessionId: artist.id };
  const change = (studio: OwnArtistChanges['studio']) =>
    updateOwnAccount(context, owner, { studio }, Date.now());
  /** The studios of the artist and of their appointments, by the cities. */
  const listCities = async (appointmentId: string) => {
    const { database } = context;
    const appointment = database.selectFrom('appointments').where('id', '=', appointmentId);
    const account = database.selectFrom('artists').where('id', '=', artist.id);
    const rows = await database
      .selectFrom('studios')
      .select(['city', 'name'])
      .where((eb) =>
        eb.or([
          eb('id', '=', appointment.select('studio_id')),
          eb('id', '=', account.select('studio_id')),
        ]),
      )
      .orderBy('city')
      .execute();
    return rows.map(({ name, city }) => `${name} in ${city}`);
  };
  return { context, artist, invalidatedTags, change, listCities };
}

test('a past appointment keeps its studio’s address; a new name, or the same address, adds no studio', async () => {
  const { context, artist, change, listCities } = await setUp();
  const past = { status: 'completed', start: Date.parse('2026-01-05T12:00:00Z') } as const;
  const id = await addAppointment(context.database, artist, past);
  await change({ name: 'Quint', city: 'New York' });
  expect(await listCities(id)).toEqual(['Quint in New York']);
  await change({ city: 'Boston' });
  expect(await listCities(id)).toEqual(['Quint in Boston', 'Quint in New York']);
});

test('a studio without past appointments is changed in place', async () => {
  const { context, artist, change, listCities } = await setUp();
  const id = await addAppointment(context.database, artist);
  await change({ city: 'Boston' });
  expect(await listCities(id)).toEqual(['The Studio in Boston']);
});

test('undoing a change of the studio restores it, and the artist’s pages are invalidated', async () => {
  const { context, artist, invalidatedTags, change } = await setUp();
  const before = (await change({})).studio;
  expect((await change({ address_one: '2 New Street' })).studio.address_one).toBe('2 New Street');
  invalidatedTags.length = 0;
  expect((await undoStudioChange(context, artist.id)).studio).toEqual(before);
  expect(invalidatedTags).toContain(`artist:${artist.id}`);
});
