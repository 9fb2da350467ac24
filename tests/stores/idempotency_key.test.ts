import { afterEach, expect, test, vi } from 'vitest';
import { createIdempotencyKey, toUuid } from '#stores/idempotency_key.ts';

afterEach(() => vi.unstubAllGlobals());

const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

test('each idempotency key is a new random UUID', () => {
  const keys = [createIdempotencyKey(), createIdempotencyKey()];
  for (const key of keys) expect(key).toMatch(UUID_V4);
  expect(new Set(keys).size).toBe(2);
});

test('idempotency keys are random UUIDs also without crypto.randomUUID (plain http)', () => {
  const random = crypto;
  vi.stubGlobal('crypto', {
    getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => random.getRandomValues(bytes),
  });
  const keys = [createIdempotencyKey(), createIdempotencyKey()];
  for (const key of keys) expect(key).toMatch(UUID_V4);
  expect(new Set(keys).size).toBe(2);
});

test('toUuid turns 16 bytes into a version 4 UUID', () => {
  expect(toUuid(new Uint8Array(16).fill(0xff))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
  expect(toUuid(new Uint8Array(16))).toBe('00000000-0000-4000-8000-000000000000');
});
