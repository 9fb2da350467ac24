import { sql } from 'kysely';
import type { Email } from 'postal-mime';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import { confirmAppointment, deleteMe, fetchConfirmation } from '#contract/endpoints.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { NOT_FOUND, validationMessages } from '#support/problems.ts';
import { bookSlot, FILLED_FORM, findSlot, openTestApp, type TestApp } from '#support/test_app.ts';

const ROSA = 'rosa@example.com';
const SUBJECT = /^Your appointments with /;

async function setUp(options: { rateLimit?: boolean } = {}) {
  const app = await openTestApp({ database: 'own', ...options });
  return { app, artist: await app.newArtist({ full_name: 'Ana Reyes' }) };
}

function askForLinks(
  app: TestApp,
  { username }: Pick<TestArtist, 'username'>,
  email = ROSA,
  address?: string,
) {
  return app.call(`POST /users/artist/${username}/links`, {
    json: { email },
    ...(address !== undefined && { address }),
  });
}

async function book(app: TestApp, artist: TestArtist, nth: number, email = ROSA) {
  return (await bookSlot(app, artist, await findSlot(app, artist, nth), { email })).id;
}

function confirm(app: TestApp, id: string) {
  return call(app.http(), confirmAppointment, { path: { appt_id: id } });
}

async function linksMails(app: TestApp): Promise<Email[]> {
  return app.mailsAbout(SUBJECT);
}

/** The ids in the links of a mail, in order. */
function linkedIds(mail: Email | undefined): string[] {
  const links = mail?.text?.matchAll(/\/confirmation\/([0-9a-f-]{36})\?mail_token=\S+/g) ?? [];
  return [...links].map(([, id = '']) => id);
}

test('a client is mailed the links of what they have with this artist, with status and time', async () => {
  const { app, artist } = await setUp();
  const other = await app.newArtist();
  const held = await book(app, artist, 40);
  const booked = await book(app, artist, 24);
  await confirm(app, booked);
  await book(app, other, 24);
  await book(app, artist, 60, 'someone.else@example.com');
  const cancelled = await book(app, artist, 80);
  await call(app.http(), confirmAppointment, { path: { appt_id: cancelled } });
  await app.call(`POST /appointments/confirmation/${cancelled}/cancel`, { json: {} });
  expect((await askForLinks(app, artist, 'ROSA@example.com')).status).toBe(204);
  const [mail, ...more] = await linksMails(app);
  expect(more).toEqual([]);
  expect(mail?.to).toMatchObject([{ address: 'ROSA@example.com' }]);
  expect(mail?.subject).toBe('Your appointments with Ana Reyes');
  expect(linkedIds(mail)).toEqual([booked, held]);
  expect(mail?.text).toMatch(/Status:\s+Booked/);
  expect(mail?.text).toMatch(/Status:\s+Not confirmed yet; kept for you until /);
  expect(mail?.text).toMatch(/When:/);
  expect(mail?.text).not.toContain(FILLED_FORM.customer_notes);
  expect(mail?.headers.find(({ key }) => key === 'list-unsubscribe')).toBeDefined();
});

test('a mailed link proves the address, also where only a mailed link confirms', async () => {
  const { app, artist } = await setUp();
  const id = await book(app, artist, 24);
  await app.database.updateTable('appointments').set({ must_prove_email: true }).execute();
  await askForLinks(app, artist);
  const [mail] = await linksMails(app);
  const mail_token = /mail_token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  await call(app.http(), confirmAppointment, { path: { appt_id: id }, body: { mail_token } });
  const { status } = await call(app.http(), fetchConfirmation, { path: { appt_id: id } });
  expect(status).toBe('confirmed');
});

test('of past appointments, only the last is listed', async () => {
  const { app, artist } = await setUp();
  const [earlier, last] = [await book(app, artist, 24), await book(app, artist, 40)];
  for (const id of [earlier, last]) await confirm(app, id);
  await sql`UPDATE appointment_times SET during = tstzrange(
    lower(during) - interval '400 days', upper(during) - interval '400 days'),
    blocked = tstzrange(lower(blocked) - interval '400 days', upper(blocked) - interval '400 days')`.execute(
    app.database,
  );
  await askForLinks(app, artist);
  const [mail] = await linksMails(app);
  expect(linkedIds(mail)).toEqual([last]);
  expect(mail?.text).toMatch(/Status:\s+Past/);
});

test('the mail lists what is true when it is sent, and is dropped when nothing is left', async () => {
  const { app, artist } = await setUp();
  const [first, second] = [await book(app, artist, 24), await book(app, artist, 40)];
  await app.runJobs();
  await askForLinks(app, artist);
  await app.runJobs('links');
  await app.call(`POST /appointments/confirmation/${first}/release`, { json: {} });
  expect((await linksMails(app)).map(linkedIds)).toEqual([[second]]);
  await askForLinks(app, artist);
  await app.runJobs('links');
  await app.call(`POST /appointments/confirmation/${second}/release`, { json: {} });
  expect(await linksMails(app)).toHaveLength(1);
});

test('an unknown or inactive artist is not found, and an invalid email is refused', async () => {
  const { app, artist } = await setUp();
  expect(await askForLinks(app, { username: 'nobody.at.all' })).toMatchObject(NOT_FOUND);
  expect(validationMessages(await askForLinks(app, artist, 'rosa@'))).toEqual({
    'body.email': 'Invalid email address',
  });
  await app.database.updateTable('artists').set({ is_active: false }).execute();
  expect(await askForLinks(app, artist)).toMatchObject(NOT_FOUND);
});

test('an artist whose email is not proven is not named in the mail', async () => {
  const { app, artist } = await setUp();
  await book(app, artist, 24);
  await app.database.updateTable('artists').set({ email_proven_at: null }).execute();
  await askForLinks(app, artist);
  const [mail] = await linksMails(app);
  expect(mail?.subject).toBe('Your appointments with your artist');
  expect(linkedIds(mail)).toHaveLength(1);
  expect(`${mail?.text} ${mail?.html}`).not.toMatch(/Ana|Reyes/);
});

test('a person who stopped the artist’s mail gets no links', async () => {
  const { app, artist } = await setUp();
  await book(app, artist, 24);
  await askForLinks(app, artist);
  const [mail] = await linksMails(app);
  const token = /\/stop-mail\?token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  await app.call('PATCH /mail/stop', { json: { token, stopped: 'artist' } });
  expect((await askForLinks(app, artist)).status).toBe(204);
  expect(await linksMails(app)).toHaveLength(1);
});

test('mails with links count for the budget of the mailbox: beyond it, they wait', async () => {
  const { app, artist } = await setUp({ rateLimit: true });
  const second = await app.newArtist();
  const third = await app.newArtist();
  for (const of of [artist, second, third]) {
    await book(app, of, 24);
    for (let n = 0; n < 2; n += 1) await askForLinks(app, of);
  }
  // One network causes at most four mails a day to a mailbox that nobody has proven.
  expect(await linksMails(app)).toHaveLength(4);
  const { data } = (
    await app.call<{ data: object[] }>('GET /mails?status=queued', { token: third.token })
  ).body;
  expect(data).toContainEqual(expect.objectContaining({ kind: 'links', waits_for: 'mailbox' }));
  await app.database.deleteFrom('counted_mails').execute();
  // Not the mails of the held times, which wait two minutes: they would take a part of the budget.
  await sql`UPDATE mails SET waits_until = now() - interval '1 second' WHERE waits_for = 'mailbox'`.execute(
    app.database,
  );
  await app.runMinutelyTasks();
  expect(await linksMails(app)).toHaveLength(6);
});

test('the mail is in the artist’s list, and goes with a deleted account', async () => {
  const { app, artist } = await setUp();
  await book(app, artist, 24);
  await askForLinks(app, artist);
  await app.runJobs('links');
  const { body } = await app.call<{ data: object[] }>('GET /mails', { token: artist.token });
  expect(body.data).toContainEqual(
    expect.objectContaining({ kind: 'links', recipient: 'client', can_send_again: false }),
  );
  await call(app.http(artist.token), deleteMe);
  expect(await linksMails(app)).toEqual([]);
});
