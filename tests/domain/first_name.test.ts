import { expect, test } from 'vitest';
import { firstName } from '#domain/first_name.ts';

test.each([
  ['José Ángel', 'José'],
  ['Mary-Jo O’Neil Jr.', 'Mary-Jo'],
  ['Алёна Йорк', 'Алёна'],
  ['प्रिया शर्मा', 'प्रिया'],
  ['J.R. Smith', null],
  ['Раypal', null],
  ['𝐖𝐢𝐧', null],
  ['A'.repeat(21), null],
])('the first name of %j is %j', (name, expected) => expect(firstName(name)).toBe(expected));
