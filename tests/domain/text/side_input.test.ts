import { expect, test } from 'vitest';
import { MAX_DESIGN_MM, sideUnit, toTypedSide } from '#domain/studio/design.ts';
import { parseDesignSide } from '#domain/text/side_input.ts';
import { LOCALES } from '#support/currencies.ts';

test.for([
  ['6', 'de-DE', 60],
  ['6.5 cm', 'en-GB', 65],
  ['2', 'en-US', 51],
  ['2.4 in', 'en', 61],
  ['6"', 'de-DE', 152],
  ['6-1/2 inches', 'en-GB', 165],
  ['.5 in', 'en-US', 13],
  ['٦٫٥ سم', 'ar-EG', null],
] as const)('a side typed as %s in %s is %s whole millimeters', ([typed, locale, millimeters]) => {
  expect(parseDesignSide(typed, locale)).toBe(millimeters);
});

test.for(['', 'wide', '0', '-3', '6 x 8', '201', '6 ft', '1/0', '1.5 1/2', '6²'])(
  '%j is not a side of a design',
  (typed) => {
    expect(parseDesignSide(typed, 'de-DE')).toBeNull();
  },
);

test.for(LOCALES)('a side that a field shows in %s is read as the same side', (locale) => {
  // A tenth of an inch is more than a millimeter.
  const isExact = sideUnit(locale) === 'cm';
  for (const side of [1, 50, 65, 100, MAX_DESIGN_MM].filter((one) => isExact || one > 10)) {
    const parsed = parseDesignSide(toTypedSide(side, locale), locale) ?? 0;
    expect(Math.abs(parsed - side), `${side}`).toBeLessThanOrEqual(isExact ? 0 : 1);
  }
});
