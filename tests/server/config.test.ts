import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';

test('WORKERS is 1 by default, a number, or auto for one on each core', () => {
  const workers = (WORKERS?: string) => readConfig({ WORKERS }).workers;
  expect([workers(), workers('3'), workers('auto')]).toEqual([1, 3, availableParallelism()]);
});

test.each(['0', '-1', '1.5', '257', 'all'])('WORKERS=%s is refused with its rule', (WORKERS) => {
  expect(() => readConfig({ WORKERS })).toThrow(
    'WORKERS must be a whole number from 1 to 256, or auto',
  );
});
