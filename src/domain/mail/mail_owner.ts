import { getDomain } from 'tldts';
import { toMailbox } from './mailbox.ts';

/** The domains of providers where people get one mailbox each, and cannot make a thousand. */
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
/** The providers with domains in many countries. Others own the same names with other endings. */
const PUBLIC_NAMES: readonly RegExp[] = [
  /^(?:gmail|icloud|msn)\.com$/,
  /^outlook\.(?:at|be|cl|co\.(?:id|il|nz|th)|com|com\.(?:ar|au|br|gr|pe|tr|vn)|cz|de|dk|es|fr|hu|ie|in|it|jp|kr|lv|my|ph|pt|sa|sg|sk)$/,
  /^hotmail\.(?:be|ca|ch|cl|co\.(?:id|il|in|jp|kr|nz|th|uk|za)|com|com\.(?:ar|au|br|hk|tr|tw|vn)|cz|de|dk|es|fi|fr|gr|hu|it|lt|lv|my|nl|no|ph|rs|se|sg|sk)$/,
  /^live\.(?:at|be|ca|cl|cn|co\.(?:kr|uk|za)|com|com\.(?:ar|au|mx|my|ph|pt|sg)|de|dk|fi|fr|hk|ie|in|it|jp|nl|no|ru|se)$/,
  /^yahoo\.(?:at|be|ca|ch|cl|co\.(?:id|il|in|jp|kr|nz|th|uk|za)|com|com\.(?:ar|au|br|co|hk|mx|my|pe|ph|sg|tr|tw|ve|vn)|de|dk|es|fi|fr|gr|hu|ie|in|it|nl|no|pl|pt|ro|se)$/,
  /^aol\.(?:com|co\.uk|de|fr|it)$/,
  /^gmx\.(?:at|ch|co\.uk|com|de|es|fr|net|us)$/,
  /^zoho(?:mail)?\.(?:com|eu|in)$/,
];

/**
 * The owner of an email: at a public provider its mailbox, elsewhere its domain, because the
 * owner of a domain makes as many mailboxes as they like.
 */
interface MailOwner {
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
  return PUBLIC_DOMAINS.has(domain) || PUBLIC_NAMES.some((names) => names.test(domain))
    ? { name: mailbox, isAtPublicProvider: true }
    : { name: domain, isAtPublicProvider: false };
}
