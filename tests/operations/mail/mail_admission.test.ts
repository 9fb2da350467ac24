import { expect, test } from 'vitest';
import { toMailbox } from '#domain/mail/mailbox.ts';
import { HOUR_MS } from '#domain/time/time.ts';
import { hashKey, hashMailbox } from '#server/database/hashed_keys.ts';
import { insertCountedMail } from '#server/database/mail_budgets.ts';
import { markMailboxProven } from '#server/database/mailboxes.ts';
import { MailFailure } from '#server/mail/mailer.ts';
import { saveEmailProof } from '#server/operations/accounts/prove_email.ts';
import { insertStoppedMailbox } from '#server/operations/mail/mail_stops.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { bookAs, mailTokenOf } from '#support/limited_app.ts';
import { PROOF, type TestArtist } from '#support/new_artist.ts';
import {
  addMinutes,
  FILLED_FORM,
  listSlots,
  openTestApp,
  type TestApp,
} from '#support/test_app.ts';
import { passTime } from '#support/time_travel.ts';

const VICTIM = 'rosa@gmail.com';
const SPELLINGS = [VICTIM, 'Ro.sa@gmail.com', 'r.o.s.a+ink@googlemail.com', 'ROSA+x@gmail.com'];

async function setUp({ isEmailProven = true } = {}) {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const artist = await app.newArtist({ scheduling_type: 'managed', isEmailProven });
  return { app, artist };
}

/** Asks for an appointment as a visitor from the nth network, with a name that is whole or in no greeting. */
async function sendRequest(
  app: TestApp,
  { username }: TestArtist,
  nth: number,
  form: Partial<Record<keyof typeof FILLED_FORM, string>> = {},
) {
  const json = { ...FILLED_FORM, email: VICTIM, first_name: 'Dr. Rosa', ...form };
  const response = await app.call<{ id: string }>(
    `POST /appointments/request/design?username=${username}`,
    { json, address: `198.51.${nth}.7` },
  );
  expect(response.status).toBe(201);
  return response.body.id;
}

/** The artist enters an appointment that begins so many hours from now. */
async function enterAppointment(app: TestApp, artist: TestArtist, hours: number, email = VICTIM) {
  const start = addMinutes(`${new Date().toISOString().slice(0, 14)}00:00Z`, hours * 60);
  const response = await app.call<{ id: string }>('POST /appointments', {
    token: artist.token,
    json: { client: { first_name: 'Rosa', email }, start, end: addMinutes(start, 59) },
  });
  expect(response.status).toBe(201);
  return response.body.id;
}

/** The mails to any spelling of the victim's address. */
async function victimMails(app: TestApp) {
  const mails = await app.mails();
  return mails.filter((mail) => SPELLINGS.includes(mail.to?.[0]?.address ?? ''));
}

/** The statuses of the artist's mails to clients in the studio's list. */
async function listClientMails(app: TestApp, { token }: TestArtist) {
  const { body } = await app.call<{ data: Record<string, string | null>[] }>('GET /mails', {
    token,
  });
  return body.data.filter(({ recipient }) => recipient === 'client');
}

test('a mailbox gets at most five mails a day, from any mixture of networks and spellings, and one with links', async () => {
  const { app, artist } = await setUp();
  for (let n = 0; n < 9; n += 1)
    await sendRequest(app, artist, n, { email: SPELLINGS[n % 4] ?? VICTIM });
  for (let n = 1; n < 4; n += 1) await enterAppointment(app, artist, 24 * n);
  expect(await victimMails(app)).toHaveLength(5);
  const waiting = (await listClientMails(app, artist)).filter(({ status }) => status === 'queued');
  expect(waiting).toHaveLength(7);
  for (const mail of waiting)
    expect(mail).toMatchObject({ waits_for: 'mailbox', waits_until: expect.any(String) });
  const other = await app.newArtist({ scheduling_type: 'managed' });
  await sendRequest(app, other, 250);
  for (const { username } of [artist, artist, other])
    await app.call(`POST /users/artist/${username}/links`, { json: { email: VICTIM } });
  const [, , , , , links, ...more] = await victimMails(app);
  expect([links?.subject, more]).toEqual([expect.stringMatching(/^Your appointments with /), []]);
});

test('two processes share the budget of a mailbox', async () => {
  const { app, artist } = await setUp();
  const other = await app.openSecondServer();
  for (let n = 0; n < 8; n += 1) await sendRequest(n % 2 ? app : other, artist, n);
  await Promise.all([app.runJobs(), other.runJobs()]);
  expect([...(await victimMails(app)), ...(await victimMails(other))]).toHaveLength(5);
});

test('after the day, one mail tells all that waited, without what is no longer true', async () => {
  const { app, artist } = await setUp();
  for (let n = 0; n < 5; n += 1) await sendRequest(app, artist, n);
  const ids = [];
  for (let n = 5; n < 9; n += 1) ids.push(await sendRequest(app, artist, n));
  expect(await victimMails(app)).toHaveLength(5);
  const json = { status: 'declined', note: 'No.' };
  await app.call(`PATCH /appointments/${ids[0]}`, { token: artist.token, json });
  expect(await victimMails(app)).toHaveLength(5);
  await passTime(app.database, 25 * HOUR_MS);
  await app.runMinutelyTasks();
  const mails = await victimMails(app);
  expect(mails).toHaveLength(6);
  expect(mails[5]?.subject).toBe('4 messages about your appointments');
  for (const id of ids) expect(mails[5]?.text?.split(`/confirmation/${id}`)).toHaveLength(2);
  expect(mails[5]?.text).toContain('was declined');
  const statuses = (await listClientMails(app, artist)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual(['dropped', ...Array(9).fill('saved')]);
});

test('an artist who stopped the mail of artists, as a client, still gets in one mail all that waited', async () => {
  const { app, artist } = await setUp({ isEmailProven: false });
  for (let n = 0; n < 6; n += 1)
    await sendRequest(app, artist, n, { email: `client${n}@example.com` });
  await app.runJobs();
  await insertStoppedMailbox(app.database, hashMailbox(artist.self.email), null);
  await passTime(app.database, 25 * HOUR_MS);
  await app.runMinutelyTasks();
  const mails = await app.mails();
  const own = mails.filter(({ to }) => to?.[0]?.address === artist.self.email);
  expect(own.at(-1)?.subject).toMatch(/^\d messages from your studio$/);
});

test('failed attempts to send use up no budget: each mail counts once', async () => {
  let isDown = true;
  const sent: string[] = [];
  const mailer = {
    send: async (mail: { to: string }) => {
      if (isDown) throw new MailFailure('No answer', { isPermanent: false });
      sent.push(mail.to);
    },
    close: () => {},
  };
  const app = await openTestApp({ database: 'own', rateLimit: true, mailer });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  for (let n = 0; n < 5; n += 1) await sendRequest(app, artist, n);
  await app.runJobs();
  for (let n = 0; n < 3; n += 1) await app.retryFailedJobs();
  isDown = false;
  await app.retryFailedJobs();
  expect(sent.filter((to) => to === VICTIM)).toHaveLength(5);
});

test('a mailbox whose owner used a mailed link gets thirty mails an hour, and what waited', async () => {
  const { app, artist } = await setUp();
  const others = [artist];
  for (let n = 0; n < 2; n += 1) others.push(await app.newArtist({ scheduling_type: 'managed' }));
  for (let n = 0; n < 7; n += 1) await sendRequest(app, others[n % 3] ?? artist, 1);
  expect(await victimMails(app)).toHaveLength(4);
  await markMailboxProven(app.database, SPELLINGS[2] ?? '', artist.self.id, Date.now());
  await app.runMinutelyTasks();
  const mails = await victimMails(app);
  expect(mails.map(({ subject }) => subject).at(-1)).toBe('3 messages about your appointments');
  for (let n = 1; n <= 30; n += 1) await enterAppointment(app, artist, n * 2);
  expect(await victimMails(app)).toHaveLength(30);
});

test('the clients of an artist whose email is unproven get thirty mails a day, until it is proven', async () => {
  const { app, artist } = await setUp({ isEmailProven: false });
  for (let n = 1; n <= 32; n += 1) await enterAppointment(app, artist, n * 2, `c${n}@example.com`);
  const countSent = async () =>
    (await listClientMails(app, artist)).filter(({ status }) => status === 'saved').length;
  await app.runJobs();
  expect(await countSent()).toBe(30);
  const waiting = (await listClientMails(app, artist)).find(({ status }) => status === 'queued');
  expect(waiting).toMatchObject({ waits_for: 'artist' });
  await app.database
    .transaction()
    .execute((transaction) =>
      saveEmailProof(transaction, artist.self.id, artist.self.email, Date.now()),
    );
  await app.runMinutelyTasks();
  await app.runJobs();
  expect(await countSent()).toBe(32);
});

test('mails of a deleted account count on, so that deleting it frees no budget', async () => {
  const { app } = await setUp();
  const chief = await app.superuserToken();
  for (let n = 0; n < 3; n += 1) {
    const attacker = await app.newArtist({ scheduling_type: 'managed', isEmailProven: false });
    for (let hour = 1; hour <= 4; hour += 1) await enterAppointment(app, attacker, 24 * hour);
    await app.runJobs();
    await app.call(`DELETE /users/${attacker.self.id}`, { token: chief, json: PROOF });
  }
  expect(await victimMails(app)).toHaveLength(5);
});

test('without limits per time (RATE_LIMIT=off) no mail waits', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed', isEmailProven: false });
  for (let n = 0; n < 8; n += 1) await sendRequest(app, artist, 1);
  expect(await victimMails(app)).toHaveLength(8);
});

/** The owner of an address asks the artist for an appointment, and uses the mailed link. */
async function becomeClient(app: TestApp, artist: TestArtist, email = VICTIM) {
  const id = await sendRequest(app, artist, 250, { email });
  const mail = (await app.mails()).findLast(({ text }) => text?.includes(`/confirmation/${id}`));
  const json = { mail_token: mailTokenOf(mail?.text) };
  const used = await app.call(`POST /appointments/confirmation/${id}`, { json });
  expect(used.status).toBe(200);
  return id;
}

test('a client who is known to this artist or to another one is mailed a first name and no other text of strangers', async () => {
  const { app, artist } = await setUp();
  const other = await app.newArtist({ scheduling_type: 'managed' });
  await becomeClient(app, artist);
  const bait = { last_name: 'Prize', customer_notes: 'A prize' };
  for (const one of [artist, other]) await sendRequest(app, one, 5, bait);
  const mails = await victimMails(app);
  expect(mails).toHaveLength(3);
  for (const mail of mails)
    expect(`${mail.subject} ${mail.text} ${mail.html}`).not.toMatch(/prize/i);
});

test('an artist’s note is mailed to those who used a mailed link of this artist', async () => {
  const { app, artist } = await setUp();
  const other = await app.newArtist({ scheduling_type: 'managed' });
  await becomeClient(app, artist);
  const json = { status: 'declined', note: 'I am away.' };
  for (const one of [artist, other]) {
    const id = await sendRequest(app, one, 7);
    await app.call(`PATCH /appointments/${id}`, { token: one.token, json });
  }
  const texts = (await app.mailsAbout(/was declined/)).map(({ text }) => text ?? '');
  expect(texts.map((text) => text.includes('I am away.'))).toEqual([true, false]);
});

test('the client’s full name is mailed once they used the link of this appointment; again after a correction of the address', async () => {
  const { app, artist } = await setUp();
  await becomeClient(app, artist);
  const id = await becomeClient(app, artist, 'rose@example.com');
  await app.call(`PATCH /appointments/${id}`, {
    token: artist.token,
    json: { status: 'declined' },
  });
  const [declined] = (await listClientMails(app, artist)).filter(({ kind }) => kind === 'declined');
  expect((await app.mailsAbout(/was declined/))[0]?.text).toMatch(/^Hi Dr\. Rosa/);
  const path = `POST /mails/${declined?.['id']}/send-again`;
  const again = await app.call(path, { token: artist.token, json: { email: VICTIM } });
  expect(again.status).toBe(201);
  expect((await victimMails(app)).at(-1)?.text).toMatch(/^Hi,/);
});

test('a network causes 60 mails a day with links that confirm; clients of other networks get theirs', async () => {
  const { app, artist } = await openArtistApp({ database: 'own', rateLimit: true });
  await app.call('PATCH /users/me', { token: artist.token, json: { confirm_by_mail: true } });
  for (let n = 0; n < 60; n += 1) {
    const mail = {
      ...{ mailId: crypto.randomUUID(), mailbox: hashKey(crypto.randomUUID()) },
      ...{ source: '203.0.113.0/24', senderId: artist.self.id },
      ...{ isLinkNeeded: true, isForSafety: false },
    };
    await inTransaction(app.database, insertCountedMail, mail, Date.now());
  }
  const [first, second] = (await listSlots(app, artist)).slice(24);
  if (!first || !second) throw new Error('The artist has too few slots');
  await bookAs(app, artist, first, { email: 'stranger@example.com', address: '203.0.113.7' });
  await bookAs(app, artist, second, { email: 'honest@example.com', address: '198.51.100.7' });
  await app.runJobs();
  const sent = (await listClientMails(app, artist)).filter(({ status }) => status === 'saved');
  expect(sent.map(({ address }) => address)).toEqual(['honest@example.com']);
}, 60_000);

test('strangers cannot keep an account from its recovery, nor from the link that proves its email', async () => {
  const { app, artist } = await setUp();
  const account = await app.newArtist({ viaSignup: true });
  const { email } = account.self;
  for (let n = 0; n < 8; n += 1)
    await app.call(`POST /users/artist/${account.username}/contact`, {
      json: { name: 'Pest', email: 'pest@example.com', message: 'Hello' },
      address: `203.0.${n}.9`,
    });
  // Other spellings of the address, as the client of someone else.
  for (let n = 0; n < 4; n += 1)
    await sendRequest(app, artist, n, { email: email.replace('@', `+${n}@`) });
  await app.runJobs();
  await app.call('POST /users/me/prove-email', { token: account.token });
  await app.call(`POST /password-recovery/${email}`);
  const mails = (await app.mails()).filter(
    (mail) => toMailbox(mail.to?.[0]?.address ?? '') === toMailbox(email),
  );
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Welcome to Linework',
    'You have a new message',
    'You have a new message',
    'Linework: confirm your email',
    'Linework: choose a new password',
  ]);
});
