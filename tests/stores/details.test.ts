import { expect, test } from 'vitest';
import { BLANK_DETAILS, DETAIL_FIELDS, isBlank, toDetails } from '#stores/details.ts';

test('details contain text exactly as typed and drop unknown options', () => {
  const fields: Record<string, string> = {
    location: 'arms',
    size: 'gigantic',
    first_name: ' Rosa ',
    preferred_contact: 'pigeon',
  };
  expect(toDetails((field) => fields[field] ?? '')).toEqual({
    ...BLANK_DETAILS,
    location: 'arms',
    first_name: ' Rosa ',
  });
});

test('details are blank only while every field is empty', () => {
  expect(isBlank(BLANK_DETAILS)).toBe(true);
  for (const field of DETAIL_FIELDS)
    expect(isBlank({ ...BLANK_DETAILS, [field]: 'x' }), field).toBe(false);
});
