import { existsSync, globSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Source folders and the folders of the tests that mirror them. */
const ROOMS = [
  { folder: 'src/server/operations', files: '*.ts', tests: 'tests/operations' },
  { folder: 'src/server/database', files: '*.ts', tests: 'tests/database' },
  { folder: 'src/stores', files: '**/*.ts', tests: 'tests/stores' },
];

/** Files without a test of their name, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/server/operations/context.ts': 'contains only types',
  'src/server/database/studios.ts': 'contains only column names',
  'src/server/database/error_code.ts': 'reads one property',
  'src/server/database/tables.ts': 'is generated from the migrated database',
};

const FILES = ROOMS.flatMap(({ folder, files, tests }) =>
  globSync(`${folder}/${files}`).map((file) => ({
    file,
    test: file.replace(folder, tests).replace(/\.ts$/, '.test.ts'),
  })),
);

test('every operation, database file and store has a test of its name', () => {
  const missing = FILES.filter(({ file, test }) => !(file in EXCEPTIONS) && !existsSync(test));
  expect(missing.map(({ file, test }) => `${file} has no ${test}`)).toEqual([]);
});

test('every exception is an existing file without a test', () => {
  const excepted = FILES.filter(({ file, test }) => file in EXCEPTIONS && !existsSync(test));
  expect(excepted.map(({ file }) => file).toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
});

test('every test in those folders has the name of a source file', () => {
  const names = new Set(FILES.map(({ test }) => test));
  const tests = ROOMS.flatMap(({ files, tests }) =>
    globSync(`${tests}/${files.replace('.ts', '.test.{ts,tsx}')}`),
  );
  expect(tests.filter((test) => !names.has(test))).toEqual([]);
  expect(tests.length).toBeGreaterThan(FILES.length / 2);
});
