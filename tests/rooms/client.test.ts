import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** What is no call, or goes over XMLHttpRequest, which browsers alone have. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  connect: 'makes what calls are made by',
  failureText: 'words for a call that failed',
  searchParams: 'writes a query',
  uploadOptions: 'what calls that send files have in common',
  changeAvatar: 'sends a file',
  createDesign: 'sends a file',
  uploadPortfolio: 'sends files',
};

const FUNCTION = /^export (?:async )?function (\w+)/gm;

test('every call of `client` is made by a test of the API', () => {
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
