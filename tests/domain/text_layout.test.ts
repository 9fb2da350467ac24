import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FontMetrics, fitHeading, fitLine, toRenderableText } from '#domain/text_layout.ts';

/** Every letter is half as wide as it is high; no emoji, nothing Japanese. */
const letters: FontMetrics = {
  hasGlyphs: (text) => !/[\p{Extended_Pictographic}\p{Script=Han}\u200d]/u.test(text),
  measureWidth: (text, _voice, size) => (text.length * size) / 2,
};
const ROOM = { width: 200, height: 100, sizes: [40, 20, 10] };

test('signs that cannot be written are left out, and a name that cannot is none', () => {
  expect(toRenderableText('  Rosa \n 🌹\u200b Quint ❤️‍🔥 ', 'heading', letters)).toBe('Rosa Quint');
  expect(toRenderableText('Rosa 北', 'heading', letters)).toBeNull();
  expect(toRenderableText('🌹', 'heading', letters)).toBeNull();
  expect(toRenderableText(' ', 'heading', letters)).toBeNull();
});

test('what reads as one letter is written as one', () => {
  expect(toRenderableText('Jose\u0301', 'heading', letters)).toBe('José');
});

test('a heading is as large as it can be', () => {
  expect(fitHeading('Ana Reyes', ROOM, letters)).toMatchObject({ lines: ['Ana Reyes'], size: 40 });
  expect(fitHeading('Maximiliana', ROOM, letters)).toMatchObject({ size: 20 });
  expect(fitHeading('Ana Reyes Quint Ana Reyes Quint', ROOM, letters)).toMatchObject({ size: 20 });
});

test('the lines of a heading are about equally long', () => {
  const { lines } = fitHeading('The house of the rising sun', ROOM, letters);
  expect(lines).toEqual(['The house of', 'the rising sun']);
});

test('a name may be broken after its hyphen', () => {
  const { lines } = fitHeading('Anna-Maria', { ...ROOM, sizes: [40] }, letters);
  expect(lines).toEqual(['Anna-Maria']);
  const narrow = fitHeading('Anna-Maria', { ...ROOM, width: 120, sizes: [40] }, letters);
  expect(narrow.lines).toEqual(['Anna-', 'Maria']);
});

test('what does not fit at all is cut, and says so', () => {
  const cut = fitHeading('A '.repeat(500).trim(), ROOM, letters);
  expect(cut).toMatchObject({ isComplete: false, size: 10 });
  expect(cut.lines.at(-1)).toMatch(/…$/);
  expect(fitLine('Harbour Street Tattoo', { width: 58, size: 20 }, letters)).toEqual({
    text: 'Harbou…',
    size: 15,
  });
});

test('a line that is a little too long is written a little smaller', () => {
  expect(fitLine('Harbour', { width: 65, size: 20 }, letters)).toEqual({
    text: 'Harbour',
    size: 18,
  });
});

test('no heading is wider or higher than its room, and none loses a letter unless it says so', () => {
  const text = fc.stringMatching(/^[a-z]{1,30}([ -][a-z]{1,30}){0,8}$/);
  fc.assert(
    fc.property(text, (heading) => {
      const { lines, size, lineHeight, isComplete } = fitHeading(heading, ROOM, letters);
      for (const line of lines)
        expect(letters.measureWidth(line, 'heading', size)).toBeLessThanOrEqual(200);
      expect(lines.length * lineHeight).toBeLessThanOrEqual(100);
      if (isComplete) expect(lines.join('').replaceAll(' ', '')).toBe(heading.replaceAll(' ', ''));
    }),
  );
});
