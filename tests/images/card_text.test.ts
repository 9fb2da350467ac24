import { expect, test } from 'vitest';
import { toCardText } from '#server/images/card_text.ts';

test('symbols that the fonts lack are left out; a text with such a letter is null', async () => {
  const rosa = await toCardText('  Rosa \n 🌹\u200b Quint ❤️‍🔥 ', 'heading');
  expect(rosa).toEqual(await toCardText('Rosa Quint', 'heading'));
  expect(rosa).toMatchObject({ text: 'Rosa Quint' });
  for (const text of ['Rosa 北', 'محمد', 'דנה', '\ufe0f', '🌹', ' ', '\u0000'])
    expect([text, await toCardText(text, 'heading')]).toEqual([text, null]);
});

test.each([
  ['symbols that occur several times', '\u2603\u2602\u2603\u2603 Rosa \u2603\u2602', 'Rosa'],
  ['invisible characters', '\ufe0f\u034fIn\u202ek\ufe0f \u200d', 'Ink'],
  ['accents of their own', 'Jose\u0301', 'José'],
])('%s are left out or composed to one letter', async (_, given, text) => {
  expect(await toCardText(given, 'text')).toMatchObject({ text });
});

test('a text with Cyrillic, Greek or Vietnamese letters is in one typeface, also its Latin letters', async () => {
  for (const text of ['Анна Reyes', 'Ελένη Reyes', 'Nguyễn Thị Ánh'])
    expect(await toCardText(text, 'text')).toMatchObject({
      fontFamily: expect.stringMatching(/^noto-serif-latin,/),
    });
  for (const text of ['Ana Reyes', 'Łucja Őry'])
    expect(await toCardText(text, 'text')).toMatchObject({
      fontFamily: 'instrument-sans-latin, instrument-sans-latin-ext',
    });
});

test('the width of a text follows its letters and their kerning', async () => {
  const [wide, narrow, kerned, A, V] = await Promise.all(
    ['WWWW', 'iiii', 'AV', 'A', 'V'].map(
      async (text) => (await toCardText(text, 'heading'))?.width,
    ),
  );
  expect(wide).toBeGreaterThan(narrow ?? Number.NaN);
  expect(kerned).toBeLessThan((A ?? Number.NaN) + (V ?? Number.NaN));
});
