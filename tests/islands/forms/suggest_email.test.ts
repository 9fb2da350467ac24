import { expect, test } from 'vitest';
import { suggestEmail } from '#islands/forms/suggest_email.ts';

test.each([
  ['gmial.com', 'gmail.com'],
  ['gamil.com', 'gmail.com'],
  ['gmai.com', 'gmail.com'],
  ['gmail.co', 'gmail.com'],
  ['gmail.con', 'gmail.com'],
  ['hotmial.com', 'hotmail.com'],
  ['outlok.com', 'outlook.com'],
  ['yaho.com', 'yahoo.com'],
  ['icloud.con', 'icloud.com'],
  ['freenet.dee', 'freenet.de'],
])('a mistyped mail domain is suggested: %s', (mistyped, domain) => {
  expect(suggestEmail(`Rosa.Diaz+ink@${mistyped}`)).toBe(`Rosa.Diaz+ink@${domain}`);
});

test.each(
  // Providers.
  `gmail.com googlemail.com GMAIL.COM yahoo.com yahoo.co.uk yahoo.es ymail.com rocketmail.com hotmail.com
  hotmail.it outlook.com outlook.es live.com live.de msn.com icloud.com me.com mac.com aol.com aim.com
  comcast.net cox.net att.net verizon.net hey.com pm.me proton.me tuta.io tutanota.com fastmail.com
  fastmail.fm zoho.com mail.com email.com duck.com gmx.de gmx.net gmx.com gmx.at gmx.ch gmx.co.uk web.de
  t-online.de freenet.de arcor.de posteo.de mailbox.org bluewin.ch orange.fr free.fr laposte.net libero.it
  wp.pl o2.pl seznam.cz inbox.lv mail.ru yandex.ru yandex.com qq.com 163.com naver.com hanmail.net`
    .split(/\s+/)
    // Companies.
    .concat('a.co', 'x.ai', 'max.com', 'like.com', 'smail.com', 'studio.con', 'inkmail.com')
    .concat('nord-studio.de', 'tattoo.studio', 'webb.de', 'uni-koeln.de', 'mit.edu', 'example.com'),
)('no other domain is suggested for one that is right: %s', (domain) => {
  expect(suggestEmail(`rosa@${domain}`)).toBeNull();
});

test.each(['rosa', 'rosa@', '@gmial.com', 'rosa@gmial', ''])(
  'nothing is suggested for %j, which is no address',
  (typed) => {
    expect(suggestEmail(typed)).toBeNull();
  },
);
