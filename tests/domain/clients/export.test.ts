import { expect, test } from 'vitest';
import { formatFileSize, toFileName } from '#domain/clients/export.ts';

const ID = '6d3f7f0e-6e66-4f0b-9a55-0d2b8c1f7a11';

test.each([
  ['Swallow', 'swallow-6d3f7f0e'],
  ['  Schwälbe / "3" ', 'schwälbe-3-6d3f7f0e'],
  ['../../etc/passwd', 'etc-passwd-6d3f7f0e'],
  ['鶴 と 亀', '鶴-と-亀-6d3f7f0e'],
  ['🖋', '6d3f7f0e'],
  ['', '6d3f7f0e'],
  [`${'a'.repeat(59)}𝒜𝒜`, `${'a'.repeat(59)}\uFFFD-6d3f7f0e`],
])('a file named %j is %s', (title, name) => {
  expect(toFileName(title, ID)).toBe(name);
});

test.each([
  [0, '1 KB'],
  [340_200, '340 KB'],
  [1_000_000, '1 MB'],
  [12_400_000, '12 MB'],
])('a file of %i bytes has %s', (bytes, text) => {
  expect(formatFileSize(bytes)).toBe(text);
});
