import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { UploadedImage } from '#contract/image.ts';
import { Picture } from '#islands/pictures/Picture.tsx';

const SWALLOW: UploadedImage = {
  id: '6d3f7f0e-6e66-4f0b-9a55-0d2b8c1f7a11',
  file_url: '/media/swallow/640.webp',
  title: 'A swallow in flight',
  width: 640,
  height: 480,
  sources: [
    { type: 'image/avif', srcset: '/media/swallow/640.avif 640w' },
    { type: 'image/webp', srcset: '/media/swallow/640.webp 640w' },
  ],
  placeholder: 'data:image/webp;base64,UklGRg==',
};

test('a picture has its alt text, size, URL and sources', () => {
  const { container } = render(<Picture image={SWALLOW} sizes="50vw" fit="cover" />);
  const picture = screen.getByRole('img', { name: 'A swallow in flight' });
  expect(picture.getAttribute('src')).toBe('/media/swallow/640.webp');
  expect([picture.getAttribute('width'), picture.getAttribute('height')]).toEqual(['640', '480']);
  const sources = [...container.querySelectorAll('source')].map((source) => [
    source.getAttribute('type'),
    source.getAttribute('srcset'),
    source.getAttribute('sizes'),
  ]);
  expect(sources).toEqual(SWALLOW.sources.map(({ type, srcset }) => [type, srcset, '50vw']));
});

test('the placeholder is hidden from assistive technology and uses no inline style', () => {
  const { container } = render(<Picture image={SWALLOW} sizes="50vw" fit="cover" />);
  const placeholder = container.querySelector('svg');
  expect(placeholder?.getAttribute('aria-hidden')).toBe('true');
  expect(placeholder?.getAttribute('viewBox')).toBe('0 0 640 480');
  expect(placeholder?.querySelector('image')?.getAttribute('href')).toBe(SWALLOW.placeholder);
  expect(screen.getAllByRole('img')).toHaveLength(1);
  expect(container.querySelector('[style]')).toBeNull();
});
