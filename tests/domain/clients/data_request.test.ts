import { expect, test } from 'vitest';
import { type DataRequest, decideDataRequest, isCurrent } from '#domain/clients/data_request.ts';
import { DAY_MS } from '#domain/time/time.ts';

const NOW = Date.parse('2026-12-01T12:00:00Z');

const asked = (days: number, changes: Partial<DataRequest> = {}): DataRequest => ({
  kind: 'copy',
  askedAt: NOW - days * DAY_MS,
  doneAt: null,
  ...changes,
});
const done = (days: number) => asked(days, { doneAt: NOW - days * DAY_MS });

test('a client who has not asked yet may ask', () => {
  expect(decideDataRequest([], 'copy', NOW)).toBe('ask');
});

test('an open request stands, however old it is', () => {
  expect(decideDataRequest([asked(0)], 'copy', NOW)).toBe('already');
  expect(decideDataRequest([asked(400)], 'copy', NOW)).toBe('already');
});

test('what was done can be asked for again 30 days after it was asked for, and not before', () => {
  expect(() => decideDataRequest([done(29.99)], 'copy', NOW)).toThrow('data_request_too_soon');
  expect(decideDataRequest([done(30)], 'copy', NOW)).toBe('ask');
  expect(isCurrent(done(29.99), NOW)).toBe(true);
  expect(isCurrent(done(30), NOW)).toBe(false);
});

test('a copy and an erasure are asked for independently', () => {
  expect(decideDataRequest([asked(1), done(40)], 'erasure', NOW)).toBe('ask');
});
