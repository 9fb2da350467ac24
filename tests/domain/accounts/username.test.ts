import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isReservedUsername, USERNAME_PATTERN } from '#domain/accounts/username.ts';

describe('a username', () => {
  const allowed =
    'ana 123 a-b a_b a.1 ana.b ana.lee.1 a..1 a--b__c mika.tattoo dr.woo robots.txt.a'.split(' ');

  test.each([...allowed, 'a'.repeat(30)])('may be %s', (username) => {
    expect(USERNAME_PATTERN.test(username)).toBe(true);
  });

  test.each([
    ['empty', ''],
    ['two characters', 'an'],
    ['31 characters', 'a'.repeat(31)],
    ['capitals', 'Ana'],
    ['a space', 'ana lee'],
    ['a slash', 'ana/lee'],
    ['a line break at its end', 'ana\n'],
    ['an accent', 'añá'],
    ['an emoji', 'ana🖋'],
    ['a percent sign', 'ana%20'],
    ['a dot first', '.ana'],
    ['a dash first', '-ana'],
    ['an underscore first', '_ana'],
    ['a dot last', 'ana.'],
    ['a dash last', 'ana-'],
    ['an underscore last', 'ana_'],
    ["a file's name", 'robots.txt'],
    ["a file's name after another dot", 'a.1.css'],
    ['an ending that Astro removes', 'ana.html'],
  ])('may not have %s', (_name, username) => {
    expect(USERNAME_PATTERN.test(username)).toBe(false);
  });
});

describe('a reserved username', () => {
  test.each(
    `404 about api contact explore healthz login logout media metrics readyz recover-password
    reset-password services signup studio`.split(/\s+/),
  )('includes the route %s', (name) => {
    expect(isReservedUsername(name)).toBe(true);
  });

  test.each(
    `support help root postmaster abuse hostmaster webmaster security noreply no-reply mailer-daemon
    official moderator staff stop-mail prove-email stopmail unsubscribe confirm linework
    linework-support linework_team linework.help linework2 linework24h verify-account help-desk
    admin1 www1 api1 helpdesk supportteam confirm-account confirmaccount log-in email.team
    passwordreset webmail2 postmaster1 lineworksupport account.security support_team2 the-linework official.linework
    support.com billing.net`.split(/\s+/),
  )('includes %s, which seems to speak for the product', (name) => {
    expect(isReservedUsername(name)).toBe(true);
  });

  test.each(
    `lineworker fine-linework lineworks rooted staffan mail.ana the-desk papi webb.appel theo-root studio54
    usman1 botapp rootline service.line ana bo2 cleo ink.studio studio-ana loginova`.split(/\s+/),
  )('does not include %s', (name) => {
    expect(isReservedUsername(name)).toBe(false);
  });

  const root = new URL('../../../', import.meta.url);
  const routes = readdirSync(new URL('src/pages/', root), {
    encoding: 'utf8',
    recursive: true,
  }).map((file) => file.replace(/\.(astro|ts|tsx|md)$/, ''));
  const files = readdirSync(new URL('public/', root));
  const endings = [...routes, ...files].flatMap((name) => /\.\w+$/.exec(name) ?? []);
  const names = [
    ...routes.filter((name) => !/^[[_]|\//.test(name)),
    ...[...new Set(endings)].map((ending) => `ana${ending}`),
  ];

  test.each(names)('or the pattern excludes the page or file %s', (name) => {
    expect(!USERNAME_PATTERN.test(name) || isReservedUsername(name)).toBe(true);
  });
});
