import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';

const PROJECT = resolve(import.meta.dirname, '../..');
const DOCUMENT = await readFile(join(PROJECT, 'docs/promises.md'), 'utf8');
const ROWS = DOCUMENT.split('\n').filter((line) => /^\| (?!Promise)/.test(line));
/** The test files of each command that takes some of them. */
const TEST_FILES: Readonly<Record<string, string>> = {
  'test:unit': 'tests/{domain,contract,pages,layouts,rooms,scripts}/**/*.test.ts',
  'test:api':
    'tests/{api,cache,database,flows,images,jobs,mail,metrics,operations,payments,server}/**/*.test.ts',
  'test:islands': 'tests/{islands,stores,client}/**/*.test.{ts,tsx}',
  'test:load': 'tests/load/**/*.test.ts',
  'test:abuse': 'tests/abuse/**/*.test.ts',
  'test:browser': 'tests/browser/**/*.spec.ts',
};

test('each promise of docs/promises.md has one command', () => {
  expect(ROWS.length).toBeGreaterThan(0);
  expect(ROWS.filter((row) => !/^\| .+ \| `npm run [\w:]+( -- \S+)?` \|$/.test(row))).toEqual([]);
});

test('package.json has each command that docs/promises.md names', async () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')));
  const names = [...DOCUMENT.matchAll(/`npm run ([\w:]+)/g)].map(([, name = '']) => name);
  expect(names.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('each test file that docs/promises.md names exists, and belongs to its command', () => {
  const named = [...DOCUMENT.matchAll(/`npm run ([\w:]+) -- ([^\s`]+)`/g)];
  const wrong = named.filter(
    ([, command = '', path = '']) =>
      !globSync(TEST_FILES[command] ?? '', { cwd: PROJECT }).includes(path),
  );
  expect(wrong.map(([text]) => text)).toEqual([]);
});
