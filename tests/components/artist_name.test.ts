import { expect, test } from 'vitest';
import { fullNameBeside } from '#components/artist_name.ts';

test.each([
  ['ana', 'Ana', null],
  ['mika.tattoo', 'Míka Tattoo', null],
  ['ana', 'Ana Lima', 'Ana Lima'],
])('beside the username %s, the full name %s is shown as %s', (username, full_name, shown) => {
  expect(fullNameBeside({ username, full_name })).toBe(shown);
});
