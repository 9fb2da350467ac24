import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type FontMetrics,
  fitHeading,
  fitLine,
  toRenderableText,
} from '#server/images/text_layout.ts';

/** Every letter is half as wide as its size; there are no emoji and no Han characters. */
const fonts: FontMetrics = {
  hasGlyphs: (text) => !/[\p{Extended_Pictographic}\p{Script=Han}\u200d]/u.test(text),
  measureWidth: (text, _voice, size) => (text.length * size) / 2,
};
const BOX = { width: 200, height: 100, sizes: [40, 20, 10] };

test('symbols that the fonts lack are left out; a text with such a letter is null', () => {
  expect(toRenderableText('  Rosa \n 🌹\u200b Quint ❤️‍🔥 ', 'heading', fonts)).toBe('Rosa Quint');
  expect(toRenderableText('Rosa 北', 'heading', fonts)).toBeNull();
  expect(toRenderableText('🌹', 'heading', fonts)).toBeNull();
  expect(toRenderableText(' ', 'heading', fonts)).toBeNull();
});

test('combining characters are composed to one letter', () => {
  expect(toRenderableText('Jose\u0301', 'heading', fonts)).toBe('José');
});

test('a heading takes the largest size that fits', () => {
  expect(fitHeading('Ana Reyes', BOX, fonts)).toMatchObject({ lines: ['Ana Reyes'], size: 40 });
  expect(fitHeading('Maximiliana', BOX, fonts)).toMatchObject({ size: 20 });
  expect(fitHeading('Ana Reyes Quint Ana Reyes Quint', BOX, fonts)).toMatchObject({ size: 20 });
});

test('the lines of a heading have about the same length', () => {
  const { lines } = fitHeading('The house of the rising sun', BOX, fonts);
  expect(lines).toEqual(['The house of', 'the rising sun']);
});

test('a name may be broken after its hyphen', () => {
  const { lines } = fitHeading('Anna-Maria', { ...BOX, sizes: [40] }, fonts);
  expect(lines).toEqual(['Anna-Maria']);
  const narrow = fitHeading('Anna-Maria', { ...BOX, width: 120, sizes: [40] }, fonts);
  expect(narrow.lines).toEqual(['Anna-', 'Maria']);
});

test('a text that does not fit in the smallest size is truncated and marked incomplete', () => {
  const cut = fitHeading('A '.repeat(500).trim(), BOX, fonts);
  expect(cut).toMatchObject({ isComplete: false, size: 10 });
  expect(cut.lines.at(-1)).toMatch(/…$/);
  expect(fitLine('Harbour Street Tattoo', { width: 58, size: 20 }, fonts)).toEqual({
    text: 'Harbou…',
    size: 15,
  });
});

test('a line that is slightly too long is written smaller', () => {
  expect(fitLine('Harbour', { width: 65, size: 20 }, fonts)).toEqual({
    text: 'Harbour',
    size: 18,
  });
});

test('a heading never overflows its box, and is truncated only when marked incomplete', () => {
  const text = fc.stringMatching(/^[a-z]{1,30}([ -][a-z]{1,30}){0,8}$/);
  fc.assert(
    fc.property(text, (heading) => {
      const { lines, size, lineHeight, isComplete } = fitHeading(heading, BOX, fonts);
      for (const line of lines)
        expect(fonts.measureWidth(line, 'heading', size)).toBeLessThanOrEqual(200);
      expect(lines.length * lineHeight).toBeLessThanOrEqual(100);
      if (isComplete) expect(lines.join('').replaceAll(' ', '')).toBe(heading.replaceAll(' ', ''));
    }),
  );
});
