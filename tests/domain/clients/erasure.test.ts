import { expect, test } from 'vitest';
import { ERASURE_KINDS, formatErasure, parseErasure } from '#domain/clients/erasure.ts';

const ID = '7f1c9d2e-4b5a-4c6d-8e7f-0a1b2c3d4e5f';
const AT = Date.parse('2026-11-26T03:41:00.123Z');

test.each(ERASURE_KINDS)('the line of an erasure is read as it was written: %s', (kind) => {
  const erasure = { kind, id: ID, at: AT };
  expect(formatErasure(erasure)).toBe(`2026-11-26T03:41:00.123Z ${kind} ${ID}`);
  expect(parseErasure(formatErasure(erasure))).toEqual(erasure);
});

test.each([
  '',
  '2026-11-26T03:41:00.123Z client',
  `2026-11-26T03:41:00.123Z client ${ID.slice(1)}`,
  `2026-11-26T03:41:00.123Z place ${ID}`,
  `2026-11-26T03:41:00.123Z client ${ID} more`,
])('half a line and a line of another form are not read: %s', (line) => {
  expect(parseErasure(line)).toBeUndefined();
});
