import { expect, test } from 'vitest';
import {
  type AppointmentSnapshot,
  ARTIST_MAIL_KINDS,
  CLIENT_MAIL_KINDS,
  MAIL_KINDS,
  type MailKind,
} from '#domain/mail.ts';
import { createMail } from '#server/mail/create_mail.ts';
import {
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
const STUDIO_URL = `https://book.example.com/studio/appointments?id=${APPOINTMENT.id}`;
const BILLING_URL = 'https://book.example.com/studio/billing';

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
    .replace(/<a href="([^"]*)"[^>]*>/g, ' $1 ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] ?? '')
    .replace(/\s+/g, ' ');
}

const MAILS: Record<MailKind, { subject: string; link: string | undefined; replyTo?: string }> = {
  prove_email: {
    subject: 'Linework: confirm your email',
    link: `https://book.example.com/prove-email?token=${TOKEN}`,
  },
  request_received: {
    subject: 'Your request to Ana Reyes at Reyes Tattoo',
    link: PROVING_URL,
  },
  hold: { subject: `Please confirm: ${WHEN} with Ana Reyes`, link: PROVING_URL },
  offer: { subject: `A time for you: ${WHEN} with Ana Reyes`, link: PROVING_URL },
  booked: { subject: `Booked: ${WHEN} with Ana Reyes`, link: PROVING_URL },
  moved: { subject: `Moved: ${WHEN} with Ana Reyes`, link: PROVING_URL },
  declined: {
    subject: 'Your request to Ana Reyes at Reyes Tattoo was declined',
    link: PROVING_URL,
  },
  cancelled: { subject: `Cancelled: ${WHEN} with Ana Reyes`, link: PROVING_URL },
  expired: { subject: `Not confirmed in time: ${WHEN} with Ana Reyes`, link: PROVING_URL },
  offer_ended: { subject: `This offer has ended: ${WHEN} with Ana Reyes`, link: PROVING_URL },
  reminder: { subject: `Reminder: ${WHEN} with Ana Reyes`, link: PROVING_URL },
  new_request: { subject: 'New request from Rosa Diaz', link: STUDIO_URL },
  new_booking: { subject: `New booking: ${WHEN}, Rosa Diaz`, link: STUDIO_URL },
  offer_lapsed: { subject: `Not confirmed: ${WHEN}, Rosa Diaz`, link: STUDIO_URL },
  offer_declined: { subject: `Declined: ${WHEN}, Rosa Diaz`, link: STUDIO_URL },
  client_cancelled: { subject: `Cancelled: ${WHEN}, Rosa Diaz`, link: STUDIO_URL },
  client_moved: { subject: `Moved: ${WHEN}, Rosa Diaz`, link: STUDIO_URL },
  links: {
    subject: 'Your appointments with Ana Reyes',
    link: PROVING_URL,
    replyTo: 'ana@example.com',
  },
  contact_message: {
    subject: 'Message from Rosa Diaz',
    link: undefined,
    replyTo: 'rosa@example.com',
  },
  data_requested: {
    subject: 'Rosa Diaz asks for a copy of their data',
    link: 'https://book.example.com/studio/clients?id=b0000000-0000-4000-8000-000000000001',
    replyTo: 'rosa@example.com',
  },
  booking_alarm: {
    subject: 'Linework: unusually many bookings',
    link: 'https://book.example.com/studio',
  },
  welcome: { subject: 'Welcome to Linework', link: 'https://book.example.com/studio' },
  password_recovery: {
    subject: 'Linework: choose a new password',
    link: `https://book.example.com/reset-password?token=${TOKEN}`,
  },
  recovery_link_created: {
    subject: 'Linework: a link to choose a new password',
    link: undefined,
  },
  password_changed: {
    subject: 'Linework: your password was changed',
    link: 'https://book.example.com/recover-password',
  },
  new_browser_login: {
    subject: 'Linework: a login from a new browser',
    link: 'https://book.example.com/recover-password',
  },
  email_change_requested: {
    subject: 'Linework: your email is about to change',
    link: `https://book.example.com/undo-email-change?token=${TOKEN}`,
  },
  email_changed: {
    subject: 'Linework: your email was changed',
    link: `https://book.example.com/undo-email-change?token=${TOKEN}`,
  },
  email_change_undone: {
    subject: 'Linework: your email is back',
    link: 'https://book.example.com/recover-password',
  },
  email_taken_back: { subject: 'Linework: your email was changed back', link: undefined },
  public_email_changed: {
    subject: 'Linework: your page shows another email',
    link: 'https://book.example.com/recover-password',
  },
  passkey_added: {
    subject: 'Linework: a passkey was added',
    link: 'https://book.example.com/recover-password',
  },
  passkey_removed: {
    subject: 'Linework: a passkey was removed',
    link: 'https://book.example.com/recover-password',
  },
  export_ready: {
    subject: 'Linework: your export is ready',
    link: 'https://book.example.com/studio/profile#data',
  },
  account_deleted: { subject: 'Linework: your account was deleted', link: undefined },
  payment_failed: { subject: 'Linework: a payment failed', link: BILLING_URL },
  subscription_ended: { subject: 'Linework: your subscription has ended', link: BILLING_URL },
};

test.each(MAIL_KINDS)(
  '%s: text and HTML have the same words, and the text has the link',
  async (kind) => {
    const { subject, text, html, link } = await mailOf(kind);
    expect(subject).toBe(MAILS[kind].subject);
    expect(link).toBe(MAILS[kind].link);
    if (link !== undefined) expect(text.split('\n')).toContain(link);
    // Compared without the marks of plain text, and regardless of order.
    const words = (content: string) =>
      content.replace(/^(?:> |-- $)/gm, '').match(/[\p{L}\d@:/?=.-]+/gu);
    const plain = (list: readonly string[] | null) =>
      list?.map((word) => word.replace(/[:.]$/, ''));
    expect(plain(words(readHtml(html)))?.toSorted()).toEqual(plain(words(text))?.toSorted());
    for (const line of text.split('\n'))
      if (!line.startsWith('https://')) expect(line.length).toBeLessThanOrEqual(76);
  },
);

test.each(CLIENT_MAIL_KINDS)(
  '%s names the time with its zone, the place, the service and the design',
  async (kind) => {
    const { text, replyTo } = await mailOf(kind);
    expect(text).toContain(
      'Tuesday, December 1, 2026\n  10:00 AM - 12:00 PM (America/New_York, EST)',
    );
    expect(text).toContain('Reyes Tattoo\n  1 Example Street\n  Floor 2\n  New York, NY 10001');
    expect(text).toContain('Flash');
    expect(text).toContain('Swallow');
    expect(replyTo).toBe('ana@example.com');
  },
);

test.each(ARTIST_MAIL_KINDS)(
  '%s gives the artist the client, the time and their wishes',
  async (kind) => {
    const { text, replyTo } = await mailOf(kind);
    expect(text).toContain('10:00 AM - 12:00 PM (America/New_York, EST)');
    expect(text).toContain('> A swallow, please.\n> On the arm.');
    expect(text).toContain('Rosa Diaz\n  rosa@example.com');
    expect(replyTo).toBe('rosa@example.com');
  },
);

test('mails about the account have no Reply-To; a contact message replies to its sender', async () => {
  for (const kind of ['welcome', 'password_recovery', 'payment_failed'] as const)
    expect(await mailOf(kind)).not.toHaveProperty('replyTo');
  expect((await mailOf('contact_message')).replyTo).toBe('rosa@example.com');
});

test('the artist’s note is only in mails that offer a time, decline or cancel', async () => {
  for (const kind of CLIENT_MAIL_KINDS) {
    const { text } = await mailOf(kind);
    expect(text.includes('> I am away that week.')).toBe(
      kind === 'declined' || kind === 'cancelled' || kind === 'offer',
    );
  }
});

test('a hold and an offer name their deadline in the studio’s zone', async () => {
  for (const kind of ['hold', 'offer'] as const) {
    const text = (await mailOf(kind)).text.replace(/\s+/g, ' ');
    expect(text).toContain('until Monday, November 30, 2026 at 10:00 AM (America/New_York, EST)');
    expect((await mailOf(kind, { expiresAt: null })).text).not.toContain('until');
  }
});

test('mails about a subscription name the date in the studio’s zone', async () => {
  for (const kind of ['payment_failed', 'subscription_ended'] as const) {
    const text = (await mailOf(kind)).text.replace(/\s+/g, ' ');
    expect(text).toContain('Tuesday, December 1, 2026 at 10:00 AM (America/New_York, EST)');
  }
});

test('a cancellation by account deletion has no links and no offer to book again', async () => {
  const { text, html, link } = await mailOf('cancelled', { isGone: true });
  expect(link).toBeUndefined();
  expect(text + html).not.toMatch(/https?:|book another/);
  expect(text).toContain('it goes to Ana Reyes');
});

test('a request that ends with the artist’s account is reported in words for a request', async () => {
  const { subject, text, link } = await mailOf('cancelled', {
    isGone: true,
    time: null,
    note: null,
  });
  expect(subject).toBe('Your request to Ana Reyes at Reyes Tattoo has ended');
  const words = text.replace(/\s+/g, ' ');
  expect(words).toContain('Ana Reyes no longer takes requests here, so your request has ended.');
  expect(words).not.toMatch(/appointment|kept|cancelled/);
  expect(link).toBeUndefined();
});

test('a request that the artist cancels is reported in words for a request', async () => {
  const { subject, text } = await mailOf('cancelled', { time: null });
  expect(subject).toBe('Your request to Ana Reyes at Reyes Tattoo was cancelled');
  const words = text.replace(/\s+/g, ' ');
  expect(words).toContain('Your request was cancelled. You are welcome to send another.');
  expect(words).not.toMatch(/appointment was|kept/);
});

test('an expired mail links to the artist’s page, and after the start does not ask to confirm', async () => {
  const { time } = APPOINTMENT;
  for (const expiresAt of [APPOINTMENT.expiresAt, time?.start ?? null]) {
    const { text, html } = await mailOf('expired', { expiresAt });
    expect(text.split('\n')).toContain(`${CONFIRMATION_URL}?artist`);
    expect(html).toContain(`href="${CONFIRMATION_URL}?artist"`);
    expect(/confirm it now|Confirm Appointment/.test(text + html)).toBe(expiresAt !== time?.start);
  }
});

test('a new request mail has the client’s details and phone number', async () => {
  const { text } = await mailOf('new_request');
  for (const detail of ['Arms', 'Small (less than 3 inches)', '+12125550123', 'A swallow, please.'])
    expect(text).toContain(detail);
});

test('a mail of a booked time says where the client can change it', async () => {
  expect((await mailOf('booked')).text).toContain(
    'the page of your appointment says what you can do',
  );
});

const TERMS = {
  price: { kind: 'from', amount: 15_000, amount_to: null, currency: 'USD' },
  deposit: { amount: 5000, currency: 'USD' },
  bookingPolicy: 'Free changes until 48 hours before.\nNo refunds.',
} as const;

test('mails to confirm and of what is booked name the price, the deposit and the policy', async () => {
  for (const kind of ['hold', 'offer', 'booked'] as const) {
    const { text, html } = await mailOf(kind, TERMS);
    for (const body of [text, readHtml(html)]) {
      expect(body).toContain('From $150');
      expect(body).toContain('$50');
      expect(body).toContain('Free changes until 48 hours before.');
    }
  }
  const { text } = await mailOf('new_booking', TERMS);
  expect(text).toContain('From $150');
  expect(text).not.toContain('No refunds');
});

test('the artist reads what the client writes now apart from what they wrote with the request', async () => {
  const { text } = await mailOf('client_cancelled', { by: 'client', note: 'I am ill.' });
  expect(text).toMatch(/ wrote:\s+> I am ill\./);
  expect(text).toMatch(/ wrote earlier:\s+> A swallow, please\./);
});

test('a request receipt repeats the client’s text, and a moved mail the old time', async () => {
  expect((await mailOf('request_received')).text).toMatch(/You wrote[\s\S]*A swallow, please\./);
  const { text } = await mailOf('moved', { movedFrom: APPOINTMENT_START - 24 * HOUR });
  expect(text).toContain('Mon, Nov 30, 2026 at 10:00 AM');
});

test('a moved mail does not claim a new time, as only the place may have changed', async () => {
  const text = (await mailOf('moved')).text.replace(/\s+/g, ' ');
  expect(text).toContain('This is when and where it is now;');
  expect(text).not.toContain('new time');
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

test.each(CLIENT_MAIL_KINDS)('%s has no link with the username, which may change', async (kind) => {
  const { text } = await mailOf(kind);
  expect(text).not.toContain(`${SITE.siteUrl}/ana`);
});

test('a welcome mail links to the public page', async () => {
  const { text } = await mailOf('welcome');
  expect(text.split('\n')).toContain('https://book.example.com/ana');
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

test('a time across a clock change names both offsets (EDT and EST)', async () => {
  const start = Date.parse('2026-11-01T05:30:00Z');
  const { text } = await mailOf('booked', { time: { start, end: start + 2 * HOUR } });
  expect(text).toContain(
    'Sunday, November 1, 2026\n  1:30 AM EDT - 2:30 AM EST (America/New_York)',
  );
});

test('a summer time is written in daylight saving time', async () => {
  const start = Date.parse('2026-07-01T14:00:00Z');
  const { text, subject } = await mailOf('reminder', { time: { start, end: start + HOUR } });
  expect(subject).toContain('Wed, Jul 1, 2026 at 10:00 AM');
  expect(text).toContain('10:00 AM - 11:00 AM (America/New_York, EDT)');
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

test.each(CLIENT_MAIL_KINDS)(
  'a %s mail to a mailbox that nobody has proven has no text that somebody typed',
  async (kind) => {
    const isArtistProven = true;
    const mail = await renderMail(SITE, [createNotice(kind, TYPED)], {
      ...PROVEN,
      isArtistProven,
      isKnownToArtist: false,
      isAppointmentProven: false,
      stopToken: 'stop',
    });
    const calendar = mail.calendar?.content.replaceAll('\r\n ', '') ?? '';
    expect(`${mail.subject} ${mail.text} ${mail.html} ${calendar}`).not.toMatch(/prize/i);
    expect(mail.text).toContain('Hi,');
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
      expect(`${subject} ${text} ${html}`.replace(/\s+/g, ' ')).not.toMatch(/win|500|dollars/i);
      expect([replyTo, calendar]).toEqual([undefined, undefined]);
      expect(text).not.toContain('Answer this mail');
      expect(text).toMatch(/-- \nSent by Linework\.\n$/);
      expect(text).not.toMatch(/^\s*,\s*$|undefined|null|Where|With:/m);
      expect(text).not.toMatch(/(?:^|\. )your artist/m);
    }
    const { text, link } = await renderMail(SITE, [createNotice(kind, BAITED)], UNPROVEN_ARTIST);
    expect(link).toBe(PROVING_URL);
    expect(text).toContain('Tuesday, December 1, 2026');
  },
);

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

test('a client’s name without a link is in the mail about their data, with the email to answer', async () => {
  const asked = createNotice('data_requested');
  if (asked.kind !== 'data_requested') throw new Error('Another kind of mail');
  const client = { ...asked.client, name: 'evil.com' };
  const request = { ...asked.request, kind: 'erasure' } as const;
  const mail = await renderMail(SITE, [{ ...asked, client, request }], PROVEN);
  expect(mail.subject).toBe('evil com asks you to erase their data');
  expect(`${mail.text} ${mail.html}`).not.toContain('evil.com');
  expect(mail.replyTo).toBe('rosa@example.com');
  const nameless = { ...asked.client, name: null, email: null };
  const { subject, text } = await renderMail(SITE, [{ ...asked, client: nameless }], PROVEN);
  expect(subject).toBe('A client asks for a copy of their data');
  expect(text).toContain('Make sure first that it is really them who asks.');
});

test('every mail to a client has a link that stops such mail, and the header for one click', async () => {
  for (const kind of CLIENT_MAIL_KINDS) {
    const mail = await renderMail(SITE, [createNotice(kind)], { ...PROVEN, stopToken: 'a.b.c' });
    const url = 'https://book.example.com/stop-mail?token=a.b.c';
    expect(mail.text).toContain(`Not you? Stop mail to this address:\n${url}`);
    expect(readHtml(mail.html)).toContain(`${url} Not you? Stop mail to this address`);
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
  const [first, second] = [APPOINTMENT.id, APPOINTMENT.id.replace('7', '8')];
  expect(mail.text.match(/confirmation\S+/g)).toEqual([
    `confirmation/${first}?mail_token=proof-of-${first}`,
    `confirmation/${second}?mail_token=proof-of-${second}`,
  ]);
  expect([mail.calendar, mail.replyTo]).toEqual([undefined, undefined]);
});
