import { expect, test } from 'vitest';
import { createTokenKeys } from '#server/operations/token_keys.ts';

test('the current key signs, and the one before it still verifies', () => {
  const [current, previous] = [Buffer.from('current'), Buffer.from('previous')];
  expect(createTokenKeys(current, previous)).toEqual({
    signing: current,
    verifying: [current, previous],
  });
  expect(createTokenKeys(current)).toEqual({ signing: current, verifying: [current] });
});
