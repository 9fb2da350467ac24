import { expect, test, vi } from 'vitest';
import { createIdempotencyKey } from '#stores/idempotency_key.ts';

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
