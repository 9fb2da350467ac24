import { expect, test } from 'vitest';
import { updateArtist } from '#server/database/artists.ts';
import {
  changeDesign,
  listAvailableDesigns,
  listOwnDesigns,
  readDesign,
  removeDesign,
} from '#server/operations/designs.ts';
import { addAppointment, addArtist, addDesign } from '#support/own_rows.ts';
import { openParts } from '#support/parts.ts';

const PAGE = { skip: 0, limit: 100 };
const NOT_FOUND = { reason: 'not_found' };

async function open() {
  const opened = await openParts();
  const artist = await addArtist(opened.parts.database);
  const tags = [`artist:${artist.id}`, `designs:${artist.id}`];
  return { ...opened, artist, tags };
}

test('clients are listed available designs alone; the artist sees all', async () => {
  const { parts, artist, tags } = await open();
  const shown = await addDesign(parts.database, artist);
  await addDesign(parts.database, artist, { status: 'hidden' });
  const listed = await listAvailableDesigns(parts, artist.username, PAGE);
  expect(listed.answer.data.map(({ id }) => id)).toEqual([shown.id]);
  expect([listed.tags, listed.until]).toEqual([tags, null]);
  expect((await listOwnDesigns(parts, artist.id, PAGE)).count).toBe(2);
});

test('a claimed design is public; a hidden one is its artist’s alone', async () => {
  const { parts, artist, tags } = await open();
  const claimed = await addDesign(parts.database, artist, { status: 'claimed' });
  const hidden = await addDesign(parts.database, artist, { status: 'hidden' });
  const other = await addArtist(parts.database);
  expect(await readDesign(parts, claimed.id, undefined)).toMatchObject({ tags });
  await expect(readDesign(parts, hidden.id, undefined)).rejects.toMatchObject(NOT_FOUND);
  await expect(readDesign(parts, hidden.id, other.id)).rejects.toMatchObject(NOT_FOUND);
  expect((await readDesign(parts, hidden.id, artist.id)).answer.status).toBe('hidden');
});

test('designs of an artist who is not active are not found', async () => {
  const { parts, artist } = await open();
  const { id } = await addDesign(parts.database, artist);
  await updateArtist(parts.database, artist.id, { is_active: false });
  await expect(listAvailableDesigns(parts, artist.username, PAGE)).rejects.toMatchObject(NOT_FOUND);
  await expect(readDesign(parts, id, undefined)).rejects.toMatchObject(NOT_FOUND);
});

test('a design is changed and moved at once, and the designs are invalidated', async () => {
  const { parts, artist, cleared } = await open();
  const first = await addDesign(parts.database, artist);
  const { id } = await addDesign(parts.database, artist);
  const changed = await changeDesign(parts, artist.id, id, { name: 'Dove', position: 0 });
  expect(changed).toMatchObject({ id, name: 'Dove', description: 'In black.' });
  const { data } = await listOwnDesigns(parts, artist.id, PAGE);
  expect(data.map((design) => design.id)).toEqual([id, first.id]);
  expect(cleared).toEqual([`designs:${artist.id}`]);
});

test('another artist’s design is neither changed nor deleted', async () => {
  const { parts, artist } = await open();
  const { id } = await addDesign(parts.database, artist);
  const other = await addArtist(parts.database);
  const changing = changeDesign(parts, other.id, id, { name: 'Mine', position: 0 });
  await expect(changing).rejects.toMatchObject(NOT_FOUND);
  await expect(removeDesign(parts, other.id, id)).rejects.toMatchObject(NOT_FOUND);
  expect((await readDesign(parts, id, undefined)).answer.name).toBe('Swallow');
});

test('a deleted design takes its files along, and appointments live on without it', async () => {
  const { parts, artist, files } = await open();
  const { id, imageId } = await addDesign(parts.database, artist);
  await parts.images.put({ imageId, width: 400, format: 'webp' }, new Uint8Array());
  const appointment = await addAppointment(parts.database, artist, { designId: id });
  await removeDesign(parts, artist.id, id);
  expect(files.size).toBe(0);
  const row = await parts.database
    .selectFrom('appointments')
    .select('design_id')
    .where('id', '=', appointment)
    .executeTakeFirst();
  expect(row).toEqual({ design_id: null });
});
