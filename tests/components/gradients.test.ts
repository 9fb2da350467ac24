import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const GRADIENT = /repeating-\w+-gradient\(\s*([^,]*),/g;

test('repeating gradients name the color space sRGB: Firefox fills the gaps of a hatch in any other', () => {
  const styles = globSync('src/**/*.css').map((file) => readFileSync(file, 'utf8'));
  const starts = styles.flatMap((css) => [...css.matchAll(GRADIENT)]).map(([, start]) => start);
  expect(starts.length).toBeGreaterThan(0);
  expect(starts.filter((start) => !start?.endsWith(' in srgb'))).toEqual([]);
});
