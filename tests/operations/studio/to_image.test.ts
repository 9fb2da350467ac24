import { expect, test } from 'vitest';
import { type ImageRow, largestImageUrl, toImage } from '#server/operations/studio/to_image.ts';
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
