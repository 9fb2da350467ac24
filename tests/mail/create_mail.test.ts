import { expect, test } from 'vitest';
import {
  type AppointmentSnapshot,
  ARTIST_MAIL_KINDS,
  CLIENT_MAIL_KINDS,
  MAIL_KINDS,
  type MailKind,
} from '#domain/mail/mail.ts';
import { createMail } from '#server/mail/create_mail.ts';
import {
  ACCOUNT_FACTS,
  APPOINTMENT,
  APPOINTMENT_START,
  createNotice,
  HOUR,
  PROVEN,
  renderMail,
  SITE,
} from '#support/sample_notices.ts';

const TOKEN = 'k'.repeat(32);
const WHEN = 'Tue, Dec 1, 2026 at 10:00 AM';
const CONFIRMATION_URL = `https://book.example.com/confirmation/${APPOINTMENT.id}`;
/** The link of mails to clients proves that they read this mailbox. */
const PROVING_URL = `${CONFIRMATION_URL}?mail_token=${TOKEN}`;

function mailOf(kind: MailKind, changes: Partial<AppointmentSnapshot> = {}) {
  // Without a token, the account is proven already.
  const token = kind === 'welcome' ? null : TOKEN;
  return renderMail(SITE, [createNotice(kind, changes)], {
    ...PROVEN,
    token,
    mailTokenOf: () => TOKEN,
  });
}

/** The visible text and links of an HTML mail. */
function readHtml(html: string): string {
  const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return html
    .replace(/^[\s\S]*<body[^>]*>/, '')
    .replace(/<a href="([^"]*)"[^>]*>([^<]*)/g, '$2 $1 ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] ?? '')
    .replace(/\s+/g, ' ');
}

test.each(MAIL_KINDS)(
  '%s: text and HTML have the same words in the same order, the link above the facts',
  async (kind) => {
    const { text, html, link } = await mailOf(kind);
    if (link !== undefined) expect(text.split('\n')).toContain(link);
    if (text.includes('When:') && kind !== 'links')
      expect(text.indexOf(link ?? '?')).toBeLessThan(text.indexOf('When:'));
    // Compared without the marks of plain text.
    const words = (content: string) =>
      content.replace(/^(?:> |-- $)/gm, '').match(/[\p{L}\d@:/?=.-]+/gu);
    const plain = (list: readonly string[] | null) =>
      list?.map((word) => word.replace(/[:.]$/, ''));
    expect(plain(words(readHtml(html)))).toEqual(plain(words(text)));
    for (const line of text.split('\n'))
      if (!line.startsWith('https://')) expect(line.length).toBeLessThanOrEqual(76);
  },
);

const TERMS = {
  price: { kind: 'from', amount: 15_000, amount_to: null, currency: 'USD' },
  deposit: { amount: 5000, currency: 'USD' },
  bookingPolicy: 'Free changes until 48 hours before.\nNo refunds.',
} as const;
const timeFrom = (start: number) => ({ time: { start, end: start + 2 * HOUR } });

/** The kinds that tell what was agreed; the variants of them do not. */
const WITH_TERMS: readonly MailKind[] = ['hold', 'offer', 'booked', 'new_booking'];

/** Appointments in whose mails other words stand. */
const VARIANTS: readonly [name: string, kind: MailKind, changes: Partial<AppointmentSnapshot>][] = [
  ['an offer without a deadline', 'offer', { expiresAt: null }],
  ['booked in the night of a clock change', 'booked', timeFrom(Date.parse('2026-11-01T05:30Z'))],
  ['a reminder in summer', 'reminder', timeFrom(Date.parse('2026-07-01T14:00Z'))],
  ['moved from another time', 'moved', { movedFrom: APPOINTMENT_START - 24 * HOUR }],
  ['expired, after the start', 'expired', { expiresAt: APPOINTMENT_START }],
  ['an appointment of a deleted account', 'cancelled', { isGone: true }],
  ['a request to a deleted account', 'cancelled', { isGone: true, time: null, note: null }],
  ['a request that the artist cancels', 'cancelled', { time: null }],
  ['a client who writes', 'client_cancelled', { by: 'client', note: 'I am ill.' }],
];

// After a change of words, `npx vitest run -u` with this file writes mails.txt: read its differences.
test('each mail reads as in mails.txt: its subject, the address of answers, its link and its text', async () => {
  const linesOf = async (kind: MailKind, changes: Partial<AppointmentSnapshot> = {}) => {
    const { subject, replyTo = 'nobody', link = 'none', text } = await mailOf(kind, changes);
    return [`Subject: ${subject}`, `Answers go to: ${replyTo}`, `Link: ${link}`, '', text]
      .join('\n')
      .split('\n');
  };
  const mails: string[] = [];
  for (const kind of MAIL_KINDS)
    mails.push(`===== ${kind}`, ...(await linesOf(kind, WITH_TERMS.includes(kind) ? TERMS : {})));
  // Of the others, the lines that differ from the mail above.
  for (const [name, kind, changes] of VARIANTS) {
    const [usual, lines] = [await linesOf(kind), await linesOf(kind, changes)];
    mails.push(`===== ${name} (${kind})`);
    mails.push(...usual.filter((line) => !lines.includes(line)).map((line) => `- ${line}`));
    mails.push(...lines.filter((line) => !usual.includes(line)).map((line) => `+ ${line}`), '');
  }
  await expect(mails.join('\n')).toMatchFileSnapshot('mails.txt');
});

test('a name cannot add lines or direction marks to a mail', async () => {
  const name = 'Rosa,\n\nYour account is blocked:\nhttps://evil.example\n\u2066';
  const changes: Partial<AppointmentSnapshot> = {
    artist: { ...APPOINTMENT.artist, name },
    client: { ...APPOINTMENT.client, name },
    studio: { ...APPOINTMENT.studio, name },
  };
  for (const kind of [...CLIENT_MAIL_KINDS, ...ARTIST_MAIL_KINDS]) {
    const { text, html } = await mailOf(kind, changes);
    expect(text).not.toMatch(/^\s*$\n^Your account/m);
    expect(text + html).not.toContain('\u2066');
  }
});

test('missing details leave no gaps in the mails', async () => {
  const missing = {
    ...{ time: null, service: null, design: null, wishes: null, expiresAt: null },
    ...{ location: null, size: null },
  };
  const client = { name: null, email: 'rosa@example.com', phone: null };
  for (const kind of [...CLIENT_MAIL_KINDS, ...ARTIST_MAIL_KINDS]) {
    const { subject, text, html } = await mailOf(kind, { ...missing, client });
    expect(subject + text + html).not.toMatch(/null|undefined|Invalid|\bWhen\b/);
  }
  const { text } = await mailOf('new_request', {
    client: { name: 'Rosa Diaz', email: null, phone: null },
  });
  expect(text).toContain('Rosa Diaz');
});

test('a mail about an appointment that the client cancelled says so', async () => {
  expect((await mailOf('cancelled', { by: 'client' })).text).toContain('You cancelled this');
});

test('names and texts are escaped in HTML mails', async () => {
  const evil = `<img src=x onerror="alert('1')"> & \u202eevil`;
  const changes: Partial<AppointmentSnapshot> = {
    artist: { ...APPOINTMENT.artist, name: evil },
    client: { ...APPOINTMENT.client, name: evil },
    studio: { ...APPOINTMENT.studio, name: evil, address_one: evil },
    service: evil,
    design: evil,
    wishes: evil,
    note: evil,
  };
  for (const kind of [...CLIENT_MAIL_KINDS, ...ARTIST_MAIL_KINDS]) {
    const { html } = await mailOf(kind, changes);
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp;');
    expect(html).not.toContain('<img');
  }
  expect((await mailOf('contact_message')).html).toContain('&lt;b&gt;Rosa&lt;/b&gt;');
});

test('a client of an artist who shows no email writes by the contact page', async () => {
  const trust = { ...UNPROVEN, isArtistProven: true };
  const { text, replyTo } = await renderMail(SITE, [createNotice('booked', {})], trust);
  expect(replyTo).toBeUndefined();
  expect(text.split('\n')).toContain(`${CONFIRMATION_URL}?contact`);
  const unproven = await renderMail(SITE, [createNotice('booked', {})], UNPROVEN);
  expect(unproven.text).not.toContain('?contact');
});

const UNPROVEN = {
  isKnownToArtist: false,
  isAppointmentProven: false,
  isArtistProven: false,
  shownArtistEmail: null,
  avatar: { id: 'a', username: 'ana' },
  mailTokenOf: () => null,
  token: TOKEN,
  stopToken: null,
};
/** All that people type except the names that mails show. */
const TYPED = {
  client: { name: 'Win Prizes', email: 'win@example.com', phone: '+12125550123' },
  wishes: 'Call the prize line',
  note: 'Pay the prize fee',
};
/** What an artist types for their clients. */
const LINKS: Partial<AppointmentSnapshot> = {
  studio: { ...APPOINTMENT.studio, address_one: 'Or: a.evil.com/win', address_two: 'win@evil.com' },
  bookingPolicy: 'Come sober.\nClaim it: https://evil.com/win',
};

test.each(CLIENT_MAIL_KINDS)(
  'a %s mail to a mailbox that nobody has proven has the client’s first name, no other text that they typed, and no link of the artist',
  async (kind) => {
    const isArtistProven = true;
    const mail = await renderMail(SITE, [createNotice(kind, { ...TYPED, ...LINKS })], {
      ...{ ...PROVEN, avatar: UNPROVEN.avatar },
      isArtistProven,
      isKnownToArtist: false,
      isAppointmentProven: false,
      stopToken: 'stop',
    });
    const calendar = mail.calendar?.content.replaceAll('\r\n ', '') ?? '';
    expect(`${mail.subject} ${mail.text} ${mail.html} ${calendar}`).not.toMatch(/prize|evil\.com/i);
    expect(mail.text).toContain('Hi Win,');
    const picture = `${SITE.apiUrl}/api/v1/users/artist/ana/mail-picture?v=a`;
    expect(mail.html).toContain(`<img src="${picture}"`);
    for (const [url] of mail.text.matchAll(/https?:\S+/g))
      expect(url.startsWith(SITE.siteUrl)).toBe(true);
    if (kind === 'declined' || kind === 'cancelled')
      expect(readHtml(mail.html)).toContain(
        'Ana Reyes left a note for you: you can read it on the page of your appointment.',
      );
  },
);

const BAIT = 'Win 500 dollars';
/** An artist who chose a bait for each of their names, and a client's name for it. */
const BAITED: Partial<AppointmentSnapshot> = {
  artist: {
    username: 'prize',
    name: BAIT,
    email: 'win@example.com',
    publicEmail: 'win@example.com',
  },
  studio: {
    ...{ name: BAIT, address_one: BAIT, address_two: BAIT, city: BAIT, state: BAIT },
    ...{ zip_code: BAIT, time_zone: 'America/New_York' },
  },
  client: { name: BAIT, email: 'rosa@example.com', phone: null },
  ...{ service: BAIT, design: BAIT, wishes: BAIT, note: BAIT, bookingPolicy: BAIT },
};
/** The recipient trusts the artist, but the artist's email is not proven. */
const UNPROVEN_ARTIST = {
  ...UNPROVEN,
  isKnownToArtist: true,
  isAppointmentProven: true,
  mailTokenOf: () => TOKEN,
};

test.each(CLIENT_MAIL_KINDS)(
  'a %s mail of an artist whose email is not proven has no text that the artist chose',
  async (kind) => {
    for (const changes of [BAITED, { ...BAITED, isGone: true, time: null, note: null }]) {
      const { subject, text, html, replyTo, calendar } = await renderMail(
        SITE,
        [createNotice(kind, changes)],
        UNPROVEN_ARTIST,
      );
      expect(`${subject} ${text} ${html}`.replace(/\s+/g, ' ')).not.toMatch(
        /win|500|dollars|<img/i,
      );
      expect([replyTo, calendar]).toEqual([undefined, undefined]);
      expect(text).not.toContain('Answer this mail');
      expect(text).toMatch(/-- \nSent by Linework\.\n$/);
      expect(text).not.toMatch(/^\s*,\s*$|undefined|null|Where|With:/m);
      expect(text).not.toMatch(/(?:^|\. )your artist/m);
    }
    const { text, link } = await renderMail(SITE, [createNotice(kind, BAITED)], UNPROVEN_ARTIST);
    expect(link?.replace('?email_change', '?mail_token')).toBe(PROVING_URL);
    expect(text).toContain('Tuesday, December 1, 2026');
  },
);

test('a links mail of an artist whose email is not proven does not name the artist', async () => {
  const notice = createNotice('links', BAITED);
  const { subject, text, html } = await renderMail(SITE, [notice], UNPROVEN_ARTIST);
  expect(subject).toBe('Your appointments with your artist');
  expect(`${text} ${html}`).not.toMatch(/Ana|Reyes|Win/);
});

test('in a mail about several artists each is named if their own email is proven', async () => {
  const baited = createNotice('booked', { ...BAITED, id: APPOINTMENT.id.replace('7', '8') });
  const { subject, text, html } = await createMail(
    SITE,
    [
      { notice: baited, ...UNPROVEN_ARTIST },
      { notice: createNotice('booked'), ...PROVEN },
    ],
    PROVEN,
  );
  expect(`${subject} ${text} ${html}`.replace(/\s+/g, ' ')).not.toContain(BAIT);
  expect(text).toMatch(/^Hi,\n/);
  expect(text.replace(/\s+/g, ' ')).toContain(`Booked: ${WHEN} with your artist.`);
  expect(text.replace(/\s+/g, ' ')).toContain(`Booked: ${WHEN} with Ana Reyes.`);
  expect(text).toContain('Sent by Linework for Reyes Tattoo.');
});

test.each([
  ...ARTIST_MAIL_KINDS,
  'contact_message',
  'data_requested',
  'welcome',
  'prove_email',
  'password_recovery',
] as const)(
  'a %s mail to an unproven artist has no text that somebody typed, and no name',
  async (kind) => {
    const mail = await renderMail(SITE, [createNotice(kind, TYPED)], UNPROVEN);
    const content = `${mail.subject} ${mail.text} ${mail.html} ${mail.replyTo}`;
    expect(content).not.toMatch(/prize|rosa|ana|cover-ups|swallow|flash/i);
    expect(mail.text.startsWith('Hi,')).toBe(true);
  },
);

test('a link in a name that was stored earlier cannot be clicked', async () => {
  const mail = await renderMail(
    SITE,
    [
      createNotice('booked', {
        artist: { ...APPOINTMENT.artist, name: 'evil.com' },
        studio: { ...APPOINTMENT.studio, name: 'https://evil.com', city: 'www.evil.com' },
        service: 'bit.ly/evil',
      }),
    ],
    PROVEN,
  );
  const calendar = mail.calendar?.content.replaceAll('\r\n ', '') ?? '';
  expect(`${mail.subject} ${mail.text} ${mail.html} ${calendar}`).not.toMatch(
    /evil\.com|bit\.ly|\/evil/,
  );
});

const ASKED = { ...ACCOUNT_FACTS, kind: 'data_requested' } as const;

test.each(['Evil.Com', 'J.Lo', 'jo.ann'])(
  'the name %j of an unproven sender is left out of a mail: a mail program could link it',
  async (name) => {
    const client = { ...APPOINTMENT.client, name };
    const message = { ...ACCOUNT_FACTS.message, name };
    const notices = [
      { ...ASKED, client: { ...ASKED.client, name } },
      { ...ACCOUNT_FACTS, kind: 'contact_message', message } as const,
      createNotice('new_request', { client }),
    ];
    const trust = { ...PROVEN, isAppointmentProven: false };
    for (const notice of notices) {
      const { subject, text, html } = await renderMail(SITE, [notice], trust);
      expect(`${subject} ${text} ${html}`).not.toContain(name);
      expect(subject).toContain('rosa@example.com');
      expect(text).not.toMatch(/^ {2}(.+)\n {2}\1$/m);
    }
    const { text } = await renderMail(SITE, [createNotice('booked', { client })], PROVEN);
    expect(text).toContain(`Hi ${name.replace('.', '. ')},`);
  },
);

test.each(['www.evil.com/login?a=@example.com', 'evil.com/pay?x=1&y=@example.com'])(
  'the email %j can be answered, but not be clicked as a page',
  async (email) => {
    const client = { ...APPOINTMENT.client, name: null, email };
    const message = { ...ACCOUNT_FACTS.message, name: 'evil.com', email };
    for (const notice of [
      { ...ACCOUNT_FACTS, kind: 'contact_message', message } as const,
      createNotice('new_request', { client }),
    ]) {
      const { subject, text, html, replyTo } = await renderMail(SITE, [notice], PROVEN);
      expect(`${subject} ${text} ${html}`).not.toContain('evil.com');
      expect(replyTo).toBe(email);
    }
  },
);

test('the mail about a client’s data has the email to answer', async () => {
  const request = { ...ASKED.request, kind: 'erasure' } as const;
  const mail = await renderMail(SITE, [{ ...ASKED, request }], PROVEN);
  expect(mail.subject).toBe('Rosa Diaz asks you to erase their data');
  expect(mail.replyTo).toBe('rosa@example.com');
  const nameless = { ...ASKED.client, name: null, email: null };
  const { subject, text } = await renderMail(SITE, [{ ...ASKED, client: nameless }], PROVEN);
  expect(subject).toBe('A client asks for a copy of their data');
  expect(text).toContain('Make sure first that it is really them who asks.');
});

test('a mail with links greets by no name if the appointments have several', async () => {
  const bo = { ...APPOINTMENT, client: { ...APPOINTMENT.client, name: 'Bo' } };
  const appointments = [APPOINTMENT, bo].map(
    (appointment) => ({ status: 'confirmed', appointment }) as const,
  );
  const links = {
    ...ACCOUNT_FACTS,
    kind: 'links',
    email: 'rosa@example.com',
    appointments,
  } as const;
  const { text } = await renderMail(SITE, [links], PROVEN);
  expect(text).toMatch(/^Hi,\n/);
});

test('every mail to a client has a link that stops such mail, and the header for one click', async () => {
  for (const kind of CLIENT_MAIL_KINDS) {
    const mail = await renderMail(SITE, [createNotice(kind)], { ...PROVEN, stopToken: 'a.b.c' });
    const url = 'https://book.example.com/stop-mail?token=a.b.c';
    expect(mail.text).toContain(`Not you? Stop mail to this address:\n${url}`);
    expect(readHtml(mail.html)).toContain(`Not you? Stop mail to this address ${url}`);
    expect(mail.unsubscribeUrl).toBe('https://book.example.com/api/v1/mail/stop?token=a.b.c');
  }
});

test('several notices become one paragraph and one link each, the newest last', async () => {
  const notices = [
    createNotice('booked'),
    createNotice('declined', { id: APPOINTMENT.id.replace('7', '8'), note: 'No.' }),
  ];
  const mailTokenOf = ({ id }: AppointmentSnapshot) => `proof-of-${id}`;
  const mail = await renderMail(SITE, notices, { ...PROVEN, mailTokenOf, stopToken: 'a.b.c' });
  expect(mail.subject).toBe('2 messages about your appointments');
  expect(mail.text).toMatch(/^Hi Rosa,\n/);
  const [first, second] = [APPOINTMENT.id, APPOINTMENT.id.replace('7', '8')];
  expect(mail.text.match(/confirmation\S+/g)).toEqual([
    `confirmation/${first}?mail_token=proof-of-${first}`,
    `confirmation/${second}?mail_token=proof-of-${second}`,
  ]);
  expect([mail.calendar, mail.replyTo]).toEqual([undefined, undefined]);
});
