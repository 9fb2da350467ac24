import { expect, test } from 'vitest';
import {
  hasControlCharacters,
  isInvisible,
  looksLikeLink,
  withoutLinks,
} from '#domain/text/link_text.ts';

const LINKS = [
  'http://evil.com',
  'https:evil',
  'See HTTPS://EVIL.example',
  'www.evil',
  'evil.com',
  'Win at Evil.Com, now',
  'evil.com.',
  'evil.xyz/abc',
  'bit.ly/x',
  't.co',
  'x.com',
  'evil.photography',
  'a-b.evil.museum',
  'пример.рф',
  'xn--e1afmkfd.xn--p1ai',
  'rosa@evil.com',
  'mailto:rosa',
  'evil\u200b.com',
  'evil。com',
  'evil．com',
  '10.0.0.1/x',
  'Acme.Studio',
  'Dr.ink',
  '-evil.com',
  '_evil.com',
  '.evil.com',
  '\ufe0fevil.com',
  '\u180bevil.com',
  '\u{e0100}evil.com',
  'evil.\ufe0fcom',
  '\u0301evil.com',
  'evil.\u0301com',
  'evil.c\u0336om',
  'ⓔⓥⓘⓛ.ⓒⓞⓜ',
  '𝐞𝐯𝐢𝐥.𝐜𝐨𝐦',
  'i❤.ws',
  '👩\u200d🎨.ws',
  'evil.com❤',
  'evil\ue000.com',
  'x.rocks',
  'dr.rocks',
  'j.r.media',
  'J.Agency',
  'Dr.Digital',
  'x.москва',
  'И.Онлайн',
  '8.8.8.8:8080/x',
  '8.8.8.8',
  'evil.com- free',
  'evil.com-cheap',
  'evil.com_free',
  'Evil.Com\u200bx',
  'Bit.Ly\u2060x',
  'Evil.Com日x',
  'Evil.Comй',
  'Evil.Cyou',
  'sip:bob@x',
  'bitcoin:1A2b',
  'evil.com.5',
  'evil․com',
  'evil﹒com',
  'evil︒com',
  'https：／／evil',
  'tel:+1900555',
  'Call sms:1900555',
  'Jo.Ann',
  'jo.ann',
  'C.so Italia 3',
  'P.O.Box 5',
  'Will.I.Am',
  'J.Lo',
  'ул.Ленина 5',
  'ey.em',
];

const NAMES = [
  'St. Mary',
  'J.R. Smith',
  'J.R.Smith',
  'No.5',
  'Dr.Who',
  'Prof.Dr.Who',
  'dr.who',
  'St.Mary',
  'J.McCoy',
  'J.Müller',
  'И.Петров',
  'Tel: 555',
  'Hotel:Ink',
  '06.12.34.56.78',
  'A.B.C. Tattoo',
  'Ink & Co.',
  'Studio 54.5',
  'Studio 54',
  "O'Brien-Núñez",
  'Mr. Bo',
  'Ph.D.',
  'she/her',
  '山田太郎',
  'Ana 🖤',
  'Vol. 2: Black',
  'Flash (3.5 x 4.2 in.)',
  '',
];

test.each(LINKS)(
  '%j looks like a link; without links it is not empty, and cannot be clicked',
  (text) => {
    expect(looksLikeLink(text)).toBe(true);
    expect(looksLikeLink(withoutLinks(text))).toBe(false);
    expect(withoutLinks(text)).not.toBe('');
  },
);

test.each(NAMES)('%j does not look like a link', (text) => {
  expect(looksLikeLink(text)).toBe(false);
});

test('a text as long as a request may be is searched in linear time', () => {
  const longTexts = ['a', 'bros.', 'a.', 'www', '🖤', 'https ', '1.'].map((part) =>
    part.repeat(250_000),
  );
  expect(longTexts.map(looksLikeLink)).toEqual(longTexts.map(() => false));
});

test('a name without a link stays as it is', () => {
  expect(NAMES.map(withoutLinks)).toEqual(NAMES);
  expect(withoutLinks('https://evil.com/x and more')).toBe('https evil. com x and more');
});

test('line breaks and text direction overrides are control characters, letters of any script are not', () => {
  expect(['a\nb', 'a\u202eb', 'a\u2066b', 'a\u0000', 'a\u2028b'].map(hasControlCharacters)).toEqual(
    Array(5).fill(true),
  );
  expect(['Núñez', 'ليلى', '👩\u200d🎨'].map(hasControlCharacters)).toEqual(Array(3).fill(false));
});

test('a text of zero-width characters is invisible', () => {
  expect(['\u200b\u200b', '\u2060 \u3164'].map(isInvisible)).toEqual([true, true]);
  expect(['', 'a', '👩\u200d🎨'].map(isInvisible)).toEqual([false, false, false]);
});
