import { expect, test } from 'vitest';
import { toStudio } from '#server/operations/to_studio.ts';

const ADDRESS = {
  address_one: '12 Orchard Street',
  address_two: null,
  city: 'New York',
  state: 'NY',
  zip_code: '10002',
  time_zone: 'America/New_York',
};

test('a studio has its name and address', () => {
  expect(toStudio({ studio_name: 'Ink & Ivory', ...ADDRESS })).toEqual({
    name: 'Ink & Ivory',
    ...ADDRESS,
  });
});

test('a studio has no other column of the row', () => {
  const row = { studio_name: 'Ink & Ivory', ...ADDRESS, id: 'a place', password_hash: 'secret' };
  expect(Object.keys(toStudio(row)).toSorted()).toEqual(
    ['name', ...Object.keys(ADDRESS)].toSorted(),
  );
});
