import { expect, test } from 'vitest';
import { listRemovedImages } from '#server/database/removed_images.ts';
import {
  deleteImageFiles,
  largestImageUrl,
  toDesign,
  toImage,
} from '#server/operations/to_image.ts';
import { openTestContext } from '#support/test_context.ts';

const ROW = {
  id: 'one',
  title: 'A swallow',
  width: 1200,
  height: 900,
  widths: [320, 1200, 640],
  formats: ['avif', 'webp'],
  placeholder: null,
} as const;

test('an image is shown as its largest WebP, with a source for each format in every width', async () => {
  const { images } = (await openTestContext()).context;
  expect(toImage(images, ROW)).toEqual({
    id: 'one',
    file_url: '/media/one/1200.webp',
    title: 'A swallow',
    width: 1200,
    height: 900,
    sources: ['avif', 'webp'].map((format) => ({
      type: `image/${format}`,
      srcset: [320, 1200, 640].map((wide) => `/media/one/${wide}.${format} ${wide}w`).join(', '),
    })),
    placeholder: null,
  });
  expect(largestImageUrl(images, 'two', [400])).toBe('/media/two/400.webp');
});

test('a design shows its own id and the id of its picture, and no other column', async () => {
  const { images } = (await openTestContext()).context;
  const row = { ...ROW, id: 'design', image_id: 'one', name: 'Swallow', description: 'In black.' };
  const shown = toDesign(images, { ...row, status: 'available', ...{ artist_id: 'secret' } });
  expect(shown).toEqual({
    id: 'design',
    name: 'Swallow',
    description: 'In black.',
    status: 'available',
    image: toImage(images, ROW),
  });
});

test('files that were removed are due no longer', async () => {
  const { context, files, logs: logged } = await openTestContext();
  const id = crypto.randomUUID();
  const file = { imageId: id, width: 400, format: 'webp' } as const;
  await context.images.put(file, new Uint8Array());
  await deleteImageFiles(context, [id]);
  expect([files.size, logged]).toEqual([0, []]);
  expect(await listRemovedImages(context.database, 10_000)).not.toContain(id);
});

test('files that the store fails to remove are logged and due, and the next ones are removed', async () => {
  const { context, logs: logged } = await openTestContext();
  const [failing, next] = [crypto.randomUUID(), crypto.randomUUID()];
  const removed: string[] = [];
  const images = {
    ...context.images,
    remove: async (id: string) => {
      if (id === failing) throw new Error('The disk is away');
      removed.push(id);
    },
  };
  await deleteImageFiles({ ...context, images }, [failing, next]);
  expect(removed).toEqual([next]);
  expect(logged).toEqual([
    `The files of image ${failing} were left behind: Error: The disk is away`,
  ]);
  expect(await listRemovedImages(context.database, 10_000)).toContain(failing);
});
