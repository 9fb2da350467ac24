import { expect, test } from 'vitest';
import { firstName } from '#domain/clients/first_name.ts';

test.each([
  ['José Ángel', 'José'],
  ['Mary-Jo O’Neil Jr.', 'Mary-Jo'],
  ['Алёна Йорк', 'Алёна'],
  ['प्रिया शर्मा', 'प्रिया'],
  ['J.R. Smith', null],
  ['Раypal', null],
  ['𝐖𝐢𝐧', null],
  ['Maximiliane-Friederike Schön', 'Maximiliane-Friederike'],
  ['佐藤花子', '佐藤花子'],
  ['กิตติศักดิ์', 'กิตติศักดิ์'],
  // Sentences, and letters that look like the signs of a link.
  ['Call-me-now', null],
  ['加微信领奖吧', null],
  ['httpsꓽᐟᐟevilꓸcom', null],
  ['A'.repeat(31), null],
])('the first name of %j is %j', (name, expected) => expect(firstName(name)).toBe(expected));
