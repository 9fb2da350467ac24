import { expect, test } from 'vitest';
import { toRecord, toText } from '#stores/stored_values.ts';

test.each([
  [{ a: 1 }, { a: 1 }],
  [null, {}],
  ['text', {}],
  [7, {}],
  [undefined, {}],
])('the fields of %j are %j', (value, fields) => {
  expect(toRecord(value)).toEqual(fields);
});

test.each([
  ['text', 'text'],
  [null, ''],
  [7, ''],
  [{}, ''],
])('the text of %j is %j', (value, text) => {
  expect(toText(value)).toBe(text);
});
