import { expect, test } from 'vitest';
import type { ImageRow } from '#server/database/images.ts';
import { largestImageUrl, toDesign, toImage } from '#server/operations/to_image.ts';
import { NO_DESIGN_FACTS } from '#support/design_facts.ts';
import { openTestContext } from '#support/test_context.ts';

const ROW: ImageRow = {
  id: 'one',
  title: 'A swallow',
  width: 1200,
  height: 900,
  widths: [320, 1200, 640],
  formats: ['avif', 'webp'],
  placeholder: null,
};

test('an image has the URL of its largest WebP, and a source for each format with every width', async () => {
  const { images } = (await openTestContext()).context;
  expect(toImage(images, ROW)).toEqual({
    id: 'one',
    file_url: '/media/one/1200.webp',
    title: 'A swallow',
    width: 1200,
    height: 900,
    sources: ['avif', 'webp'].map((format) => ({
      type: `image/${format}`,
      srcset: [320, 1200, 640].map((width) => `/media/one/${width}.${format} ${width}w`).join(', '),
    })),
    placeholder: null,
  });
  expect(largestImageUrl(images, 'two', [400])).toBe('/media/two/400.webp');
});

test('a design has its own id and its image, and no other column', async () => {
  const { images } = (await openTestContext()).context;
  const row = { ...ROW, id: 'design', image_id: 'one', name: 'Swallow', description: 'In black.' };
  const columns = { ...NO_DESIGN_FACTS, duration_minutes: null, edition_use: null };
  const secret = { artist_id: 'secret' };
  const design = toDesign(images, { ...row, ...columns, status: 'available', ...secret });
  expect(design).toEqual({
    id: 'design',
    name: 'Swallow',
    description: 'In black.',
    ...NO_DESIGN_FACTS,
    status: 'available',
    image: toImage(images, ROW),
  });
});
