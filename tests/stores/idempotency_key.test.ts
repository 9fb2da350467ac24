import { expect, test, vi } from 'vitest';
import { createIdempotencyKey } from '#stores/idempotency_key.ts';

const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const random = crypto;
/** The part that pages at plain `http:` have. */
const INSECURE = {
  getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => random.getRandomValues(bytes),
};

test.each([
  ['with', crypto],
  ['without', INSECURE],
])('each idempotency key is a new random UUID %s crypto.randomUUID', (_, own) => {
  vi.stubGlobal('crypto', own);
  const keys = [createIdempotencyKey(), createIdempotencyKey()];
  for (const key of keys) expect(key).toMatch(UUID_V4);
  expect(new Set(keys).size).toBe(2);
});
