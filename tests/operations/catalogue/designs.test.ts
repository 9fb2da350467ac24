import { expect, test } from 'vitest';
import { updateArtist } from '#server/database/artists.ts';
import {
  deleteDesign,
  listAvailableDesigns,
  listDesigns,
  loadDesign,
  updateDesign,
} from '#server/operations/catalogue/designs.ts';
import { addAppointment, addArtist, addDesign } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

const PAGE = { skip: 0, limit: 100 };
const NOT_FOUND = { reason: 'not_found' };

async function setUp() {
  const opened = await openTestContext();
  const artist = await addArtist(opened.context.database);
  const tags = [`artist:${artist.id}`, `designs:${artist.id}`];
  return { ...opened, artist, tags };
}

test('clients see only available designs; the artist sees all', async () => {
  const { context, artist, tags } = await setUp();
  const shown = await addDesign(context.database, artist);
  for (const status of ['hidden', 'draft'] as const)
    await addDesign(context.database, artist, { status });
  const listed = await listAvailableDesigns(context, artist.username, PAGE);
  expect(listed.value.data.map(({ id }) => id)).toEqual([shown.id]);
  expect([listed.tags, listed.until]).toEqual([tags, null]);
  expect((await listDesigns(context, artist.id, PAGE, 'all')).count).toBe(3);
});

test.for(['hidden', 'draft'] as const)(
  'a claimed design is public; a %s one is visible only to its artist',
  async (status) => {
    const { context, artist, tags } = await setUp();
    const claimed = await addDesign(context.database, artist, { status: 'claimed' });
    const hidden = await addDesign(context.database, artist, { status });
    const other = await addArtist(context.database);
    expect(await loadDesign(context, claimed.id, undefined)).toMatchObject({ tags });
    await expect(loadDesign(context, hidden.id, undefined)).rejects.toMatchObject(NOT_FOUND);
    await expect(loadDesign(context, hidden.id, other.id)).rejects.toMatchObject(NOT_FOUND);
    expect((await loadDesign(context, hidden.id, artist.id)).value.status).toBe(status);
  },
);

test.each([{ is_superuser: true }, { is_active: false }])(
  'designs of an artist without a public page are visible only to themselves: %o',
  async (change) => {
    const { context, artist } = await setUp();
    const { id } = await addDesign(context.database, artist);
    await updateArtist(context.database, artist.id, change);
    const listed = listAvailableDesigns(context, artist.username, PAGE);
    await expect(listed).rejects.toMatchObject(NOT_FOUND);
    await expect(loadDesign(context, id, undefined)).rejects.toMatchObject(NOT_FOUND);
    expect((await loadDesign(context, id, artist.id)).value).toMatchObject({ id });
  },
);

test('one update changes and moves a design, and invalidates the designs', async () => {
  const { context, artist, invalidatedTags } = await setUp();
  const first = await addDesign(context.database, artist);
  const { id } = await addDesign(context.database, artist);
  const changed = await updateDesign(context, artist.id, id, { name: 'Dove', position: 0 });
  expect(changed).toMatchObject({ id, name: 'Dove', description: 'In black.' });
  const { data } = await listDesigns(context, artist.id, PAGE, 'all');
  expect(data.map((design) => design.id)).toEqual([id, first.id]);
  expect(invalidatedTags).toEqual([`designs:${artist.id}`]);
});

test('deleting a design deletes its files, unless an appointment shows it', async () => {
  const { context, artist, files } = await setUp();
  const addStored = async () => {
    const design = await addDesign(context.database, artist);
    const file = { imageId: design.imageId, width: 400, format: 'webp' } as const;
    await context.images.put(file, new Uint8Array());
    return design;
  };
  const [unused, shown] = [await addStored(), await addStored()];
  await addAppointment(context.database, artist, { designId: shown.id });
  await deleteDesign(context, artist.id, unused.id);
  await deleteDesign(context, artist.id, shown.id);
  expect([...files.keys()].join()).not.toContain(unused.imageId);
  expect([...files.keys()].join()).toContain(shown.imageId);
  await expect(deleteDesign(context, artist.id, shown.id)).rejects.toMatchObject(NOT_FOUND);
});
