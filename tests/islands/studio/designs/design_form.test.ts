import { expect, test } from 'vitest';
import type { Design } from '#contract/design.ts';
import { LOCALES } from '#support/currencies.ts';
import { NO_DESIGN_FACTS } from '#support/design_facts.ts';
import { createImage } from '#support/fake_schedule_api.ts';
import {
  designFormSchema,
  toDesignForm,
} from '../../../../src/islands/studio/designs/design_form.ts';

const PLAIN: Design = {
  ...{ id: 'swallow', name: 'Swallow', description: '', status: 'available' },
  ...{ image: createImage('swallow'), ...NO_DESIGN_FACTS },
};
const FULL: Design = {
  ...PLAIN,
  price: { kind: 'from', amount: 15_000, amount_to: null, currency: 'EUR' },
  duration: 90,
  width_mm: 65,
  height_mm: 80,
  placements: ['arms', 'legs'],
  color: 'black',
  editions: 3,
  left: 2,
};

function parse(design: Design, changes: object = {}, locale = 'de-DE') {
  const schema = designFormSchema(design, 'EUR', locale);
  return schema.safeParse({ ...toDesignForm(design, locale), ...changes });
}

function errorsOf(changes: object) {
  const { error } = parse(PLAIN, changes);
  return error?.issues.map(({ path, message }) => [path.join('.'), message]);
}

test.each([
  ['nothing', PLAIN, { service_id: null, duration: null, price: null, editions: null }],
  ['everything', FULL, { duration: 90, price: FULL.price, width_mm: 65, editions: 3 }],
  ['a service', { ...PLAIN, service_id: 'flash' }, { service_id: 'flash' }],
])('a design of which %s is known comes back from its form unchanged', (_, design, expected) => {
  const { name, description, status, placements, color } = design;
  expect(parse(design).data).toMatchObject({
    ...{ name, description, status, placements, color },
    ...expected,
  });
});

test.each(LOCALES)('in %s, a size that is not edited stays to the millimeter', (locale) => {
  for (const side of [1, 50, 61, 65, 100, 2000]) {
    const design = { ...FULL, width_mm: side, height_mm: side };
    expect(parse(design, {}, locale).data).toMatchObject({ width_mm: side, height_mm: side });
  }
  expect(parse(FULL, { width_mm: '2' }, 'en-US').data).toMatchObject({
    width_mm: 51,
    height_mm: 80,
  });
});

test('a length sends no service, and a service no length: each removes the other', () => {
  expect(parse(FULL).data).not.toHaveProperty('service_id');
  const withService = parse(FULL, { booking: 'service', service_id: 'flash' }).data;
  expect(withService).toMatchObject({ service_id: 'flash' });
  expect(withService).not.toHaveProperty('duration');
});

test('bad input has its message at its field', () => {
  expect(errorsOf({ name: '' })).toEqual([['name', 'Name is required']]);
  expect(errorsOf({ width_mm: 'wide' })).toEqual([['width_mm', 'Must be a length up to 200 cm']]);
  expect(errorsOf({ editions: '0' })).toEqual([['editions', 'Must be 1 to 1000, or empty']]);
  expect(errorsOf({ booking: 'service' })).toEqual([['service_id', 'Choose a service']]);
  expect(errorsOf({ booking: 'length', duration: 3 })).toEqual([
    ['duration', 'Must be 5 to 1440 whole minutes'],
  ]);
  expect(errorsOf({ price: { kind: 'fixed', amount: 'x', amount_to: '' } })).toEqual([
    ['price.amount', 'Write the amount like 1.234,50'],
  ]);
});
