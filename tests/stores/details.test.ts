import { expect, test } from 'vitest';
import {
  BLANK_DETAILS,
  DETAIL_FIELDS,
  isBlank,
  toDetailField,
  toDetails,
} from '#stores/details.ts';

test('details keep text as it was typed and drop choices that do not exist', () => {
  const kept: Record<string, string> = {
    location: 'arms',
    size: 'gigantic',
    first_name: ' Rosa ',
    preferred_contact: 'pigeon',
  };
  expect(toDetails((field) => kept[field] ?? '')).toEqual({
    ...BLANK_DETAILS,
    location: 'arms',
    first_name: ' Rosa ',
  });
});

test('details are blank until one field has text', () => {
  expect(isBlank(BLANK_DETAILS)).toBe(true);
  for (const field of DETAIL_FIELDS)
    expect(isBlank({ ...BLANK_DETAILS, [field]: 'x' }), field).toBe(false);
});

test('only names of the form are fields of it', () => {
  expect(toDetailField('email')).toBe('email');
  expect([toDetailField('start'), toDetailField(0), toDetailField(undefined)]).toEqual([
    null,
    null,
    null,
  ]);
});
