import { getDomain } from 'tldts';
import { toMailbox } from './mailbox.ts';

/**
 * The domains of providers where people get one mailbox each, and cannot make a thousand. Those of a
 * provider with many countries are in `PUBLIC_NAMES`.
 */
const PUBLIC_DOMAINS = new Set(
  `163.com 126.com a1.net aliceadsl.fr alice.it arcor.de att.net bbox.fr bell.net bellsouth.net bigpond.com
  bluewin.ch bol.com.br centrum.cz charter.net club-internet.fr comcast.net cox.net daum.net earthlink.net
  eastlink.ca email.cz fastmail.com fastmail.fm foxmail.com free.fr freenet.de frontier.com googlemail.com
  hanmail.net hey.com hushmail.com ig.com.br iinet.net.au inbox.lv interia.pl on.net iprimus.com.au
  juno.com kpnmail.nl laposte.net libero.it list.ru mac.com mail.com mail.de mail.ee mail.ru mailbox.org me.com
  mindspring.com nate.com naver.com neuf.fr ntlworld.com numericable.fr o2.pl onet.pl online.no optonline.net
  optusnet.com.au orange.fr ozemail.com.au pm.me posteo.de posteo.net proton.me protonmail.ch
  protonmail.com q.com qq.com rambler.ru rediffmail.com roadrunner.com rocketmail.com rogers.com sapo.pt
  sbcglobal.net seznam.cz sfr.fr shaw.ca sina.com sky.com skynet.be suddenlink.net sunrise.ch sympatico.ca
  t-online.de talktalk.net telefonica.net telenet.be telia.com telus.net terra.com.br tin.it tiscali.it
  tpg.com.au tuta.com tuta.io tutamail.com tutanota.com tutanota.de twc.com ukr.net uol.com.br verizon.net
  videotron.ca virgilio.it virgin.net virginmedia.com voila.fr wanadoo.fr web.de windstream.net wp.pl
  xs4all.nl xtra.co.nz ya.ru yandex.ru ymail.com ziggo.nl zoho.com bk.ru inbox.ru btinternet.com blueyonder.co.uk
  btopenworld.com cegetel.net chello.nl home.nl planet.nl hetnet.nl casema.nl gmx.de abv.bg`.split(
    /\s+/,
  ),
);
const PUBLIC_NAMES =
  /^(?:gmail|outlook|hotmail|live|msn|yahoo|icloud|aol|gmx|yandex|zohomail)\.[a-z]{2,3}(?:\.[a-z]{2})?$/;

/**
 * Who can answer for an email: at a public provider its mailbox, elsewhere its domain, because the
 * owner of a domain makes as many mailboxes as they like.
 */
export interface MailOwner {
  /** The same for all addresses of one owner: `rosa@gmail.com`, or `example.com`. */
  readonly name: string;
  readonly isAtPublicProvider: boolean;
}

/** @param email in any spelling */
export function mailOwner(email: string): MailOwner {
  const mailbox = toMailbox(email);
  const host = mailbox.slice(mailbox.lastIndexOf('@') + 1);
  // The domain that somebody registered: `example.co.uk` of `mail.example.co.uk`.
  const domain = getDomain(host) ?? host;
  return PUBLIC_DOMAINS.has(domain) || PUBLIC_NAMES.test(domain)
    ? { name: mailbox, isAtPublicProvider: true }
    : { name: domain, isAtPublicProvider: false };
}
