import { describe, expect, test } from 'vitest';
import { parseSocialHandle, socialProfileUrl } from '#domain/studio/social.ts';

describe('an Instagram handle', () => {
  test.each([
    'ana.ink',
    '@ana.ink',
    '  @ana.ink  ',
    'instagram.com/ana.ink',
    'www.instagram.com/ana.ink/',
    'http://instagram.com/ana.ink',
    'https://www.instagram.com/ana.ink/?hl=en',
    'https://instagram.com/ana.ink?igsh=abc123#top',
    'HTTPS://WWW.INSTAGRAM.COM/ana.ink',
    'https://www.instagram.com/@ana.ink',
  ])('is found in %s', (typed) => {
    expect(parseSocialHandle('instagram', typed)).toBe('ana.ink');
  });

  test.each([
    ['nothing', ''],
    ['only an at sign', '@'],
    ['a sentence', 'find me on insta'],
    ['the address of the site', 'https://www.instagram.com/'],
    ['a link below the profile', 'https://www.instagram.com/ana.ink/reels/'],
    ["another site's link", 'https://example.com/ana.ink'],
    ["the other network's link", 'https://www.facebook.com/ana.ink'],
    ['a look-alike site', 'https://instagram.com.example.com/ana.ink'],
    ['a script', 'javascript:alert(1)'],
    ['markup', '"><script>'],
    ['more than 100 characters', 'a'.repeat(101)],
  ])('cannot be %s', (_name, typed) => {
    expect(parseSocialHandle('instagram', typed)).toBeNull();
  });
});

describe('a Facebook handle', () => {
  test.each([
    ['ana.ink', 'ana.ink'],
    ['@Ana_Ink-2', 'Ana_Ink-2'],
    ['@ana.ink', 'ana.ink'],
    ['https://www.facebook.com/ana.ink', 'ana.ink'],
    ['https://m.facebook.com/ana.ink/', 'ana.ink'],
    ['fb.com/ana.ink', 'ana.ink'],
    ['https://www.facebook.com/profile.php?id=100012345678', '100012345678'],
    ['https://www.facebook.com/profile.php?ref=x&id=100012345678&sk=about', '100012345678'],
  ])('in %s is %s', (typed, handle) => {
    expect(parseSocialHandle('facebook', typed)).toBe(handle);
  });

  test("cannot be the other network's link", () => {
    expect(parseSocialHandle('facebook', 'https://www.instagram.com/ana.ink')).toBeNull();
  });
});

test('socialProfileUrl links to the profile', () => {
  expect(socialProfileUrl('instagram', 'ana.ink')).toBe('https://www.instagram.com/ana.ink');
  expect(socialProfileUrl('facebook', '100012345678')).toBe(
    'https://www.facebook.com/100012345678',
  );
});
