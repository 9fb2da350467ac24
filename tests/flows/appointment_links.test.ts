import type { Email } from 'postal-mime';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import { confirmAppointment } from '#contract/endpoints.ts';
import { mailTokenOf } from '#support/limited_app.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { NOT_FOUND, validationMessages } from '#support/problems.ts';
import { bookSlot, FILLED_FORM, findSlot, openTestApp, type TestApp } from '#support/test_app.ts';

const ROSA = 'rosa@example.com';
const SUBJECT = /^Your appointments with /;

async function setUp() {
  const app = await openTestApp({ database: 'own' });
  return { app, artist: await app.newArtist({ full_name: 'Ana Reyes' }) };
}

function askForLinks(app: TestApp, { username }: Pick<TestArtist, 'username'>, email = ROSA) {
  return app.call(`POST /users/artist/${username}/links`, { json: { email } });
}

async function book(app: TestApp, artist: TestArtist, nth: number, email = ROSA) {
  return (await bookSlot(app, artist, await findSlot(app, artist, nth), { email })).id;
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
  await call(app.http(), confirmAppointment, { path: { appt_id: booked } });
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
  expect(linkedIds(mail)).toEqual([booked, held, cancelled]);
  expect(mail?.text).toMatch(/Status:\s+Booked/);
  expect(mail?.text).toMatch(/Status:\s+Not confirmed yet; kept for you until /);
  expect(mail?.text).toMatch(/Status:\s+Cancelled\s+When:/);
  expect(mail?.text).not.toContain(FILLED_FORM.customer_notes);
  expect(mail?.headers.find(({ key }) => key === 'list-unsubscribe')).toBeDefined();
  // A mailed link proves the address, also where only a mailed link confirms.
  await app.database.updateTable('appointments').set({ must_prove_email: true }).execute();
  const mail_token = mailTokenOf(mail?.text?.split(`/confirmation/${held}`)[1]);
  const body = { mail_token };
  const confirmed = call(app.http(), confirmAppointment, { path: { appt_id: held }, body });
  expect(await confirmed).toMatchObject({ status: 'confirmed' });
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
