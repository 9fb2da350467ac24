import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Functions that are not calls, or that use XMLHttpRequest, which only browsers have. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  createHttpTransport: 'creates the transport that calls use',
  formatError: 'formats the error of a call',
  toSearchParams: 'writes a query',
  toKyOptions: 'options of calls that send files',
  changeAvatar: 'sends a file',
  createDesign: 'sends a file',
  uploadPortfolio: 'sends files',
};

const FUNCTION = /^export (?:async )?function (\w+)/gm;

test('every call of `client` appears in a test of the API', () => {
  const calls = globSync('src/client/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(FUNCTION)].map(([, name = '']) => name),
  );
  const tests = globSync('tests/{api,flows,operations}/**/*.test.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const untested = calls.filter(
    (name) => !(name in EXCEPTIONS) && !new RegExp(`\\b${name}\\(`).test(tests),
  );
  expect(untested).toEqual([]);
  expect(Object.keys(EXCEPTIONS).filter((name) => !calls.includes(name))).toEqual([]);
});
