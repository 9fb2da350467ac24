import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder } from '#support/folder.ts';
import { excessiveFunctions } from '../../scripts/function_limits.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/function_limits.ts');
const FIVE_PARAMETERS = 'export function add(a, b, c, d, e) {}\n';

/** A function that ends on its last of so many lines. */
function functionOf(lines: number): string {
  return `function long() {${'\n'.repeat(lines - 1)}}`;
}

/** A function of two lines within so many others. */
function nested(depth: number): string {
  return depth === 0 ? 'run(() => {\n});' : `run(() => {\n${nested(depth - 1)}\n});`;
}

test.each([
  ['121 lines', functionOf(121), ['1 a function has 121 lines']],
  ['120 lines', functionOf(120), []],
  [
    'five parameters',
    `const two = 2;\nconst add = (a, b, c, d, e) => a;`,
    ['2 a function has 5 parameters'],
  ],
  ['four parameters, or the type of a function', `type Add = (a, b, c, d, e) => void;`, []],
  ['three functions around it', nested(3), ['4 a function has 3 functions around it']],
  ['two functions around it', nested(2), []],
  ['one line, whatever is around it', nested(3).replace('{\n}', '{}'), []],
])('a function with %s', (_, code, expected) => {
  const found = excessiveFunctions('src/domain/a.ts', code);
  expect(found.map(({ line, message }) => `${line} ${message}`)).toEqual(expected);
});

test('functions of an Astro page are counted, with the lines of the page', () => {
  const found = excessiveFunctions('src/pages/a.astro', `---\n${FIVE_PARAMETERS}---\n<p />`);
  expect(found).toEqual([{ line: 2, message: 'a function has 5 parameters' }]);
});

test('the check fails for a function beyond a limit', async () => {
  const folder = await openFolder();
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src/a.ts'), FIVE_PARAMETERS);
  const run = spawnSync(process.execPath, [SCRIPT], { cwd: folder, encoding: 'utf8' });
  expect(run.status).toBe(1);
  expect(run.stdout).toBe('src/a.ts:1  a function has 5 parameters\n');
});
