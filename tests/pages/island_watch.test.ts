import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(file, 'utf8');
const LAYOUTS = globSync('src/layouts/*.astro').filter((file) =>
  read(file).includes('<IslandWatch'),
);

test('every page with an island says when the island does not load', () => {
  const pages = globSync('src/{pages,layouts,components}/**/*.astro').filter((file) =>
    /\sclient:\w+/.test(read(file)),
  );
  expect(pages.length).toBeGreaterThan(14);
  const watched = ['IslandWatch', ...LAYOUTS.map((file) => basename(file, '.astro'))];
  const unwatched = pages.filter(
    (file) => !watched.some((name) => read(file).includes(`<${name}`)),
  );
  expect(unwatched).toEqual([]);
});
