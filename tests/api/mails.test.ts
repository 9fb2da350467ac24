import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { ListPage } from '#contract/common.ts';
import { confirmAppointment, recoverPassword, requestDesign } from '#contract/endpoints.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import type { Mail, Mailer } from '#server/mail/mailer.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { bookSlot, FILLED_FORM, findSlot, openTestApp, type TestApp } from '#support/test_app.ts';

const ROSA = 'rosa@example.com';

function loadMails(app: TestApp, { token }: TestArtist, query = '') {
  return expectOk(app.call<ListPage<OutgoingMail>>(`GET /mails/?${query}`, { token }));
}

async function findMail(app: TestApp, artist: TestArtist, kind: string): Promise<OutgoingMail> {
  const { data } = await loadMails(app, artist);
  const mail = data.find((one) => one.kind === kind);
  if (!mail) throw new Error(`There is no mail of the kind ${kind}`);
  return mail;
}

test('artists see their mails newest first, without password recovery mails', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' }, { viaSignup: true });
  const { id } = await bookSlot(app, artist, await findSlot(app, artist, 40));
  await call(app.http(), confirmAppointment, { path: { appt_id: id } });
  await app.runJobs();
  await call(app.http(), recoverPassword, { path: { email: artist.self.email } });
  await app.runJobs();
  const { data, count } = await loadMails(app, artist);
  expect(count).toBe(4);
  expect(
    data
      .map(({ kind, recipient }) => `${kind} to ${recipient}`)
      .slice(0, 2)
      .sort(),
  ).toEqual(['booked to client', 'new_booking to artist']);
  expect(data.slice(2).map(({ kind }) => kind)).toEqual(['hold', 'welcome']);
  expect(await findMail(app, artist, 'booked')).toEqual({
    id: expect.any(String),
    appointment_id: id,
    kind: 'booked',
    hours_ahead: null,
    recipient: 'client',
    address: ROSA,
    status: 'saved',
    failure: null,
    waits_until: null,
    waits_for: null,
    can_send_again: true,
    created_at: expect.stringMatching(/Z$/),
    settled_at: expect.stringMatching(/Z$/),
  });
  expect(await findMail(app, artist, 'welcome')).toMatchObject({
    appointment_id: null,
    recipient: 'artist',
    can_send_again: false,
  });
});

test('a sent mail is not sent twice when storing its status failed', async () => {
  const sent: Mail[] = [];
  const mailer: Mailer = { send: async (mail) => void sent.push(mail), close: () => {} };
  const app = await openTestApp({ database: 'own', mailer });
  const artist = await app.newArtist({ scheduling_type: 'managed', viaSignup: true });
  await app.runJobs();
  const { database } = app;
  const before = sent.length;
  await call(app.http(), requestDesign, {
    query: { username: artist.username },
    header: { 'idempotency-key': randomUUID() },
    body: FILLED_FORM,
  });
  await sql`
    ALTER TABLE mails ADD CONSTRAINT nothing_is_sent CHECK (status <> 'sent') NOT VALID
  `.execute(database);
  await app.runJobs();
  await sql`ALTER TABLE mails DROP CONSTRAINT nothing_is_sent`.execute(database);
  expect((await loadMails(app, artist, 'status=queued')).count).toBe(2);
  await app.retryFailedJobs();
  expect(sent).toHaveLength(before + 2);
  expect((await loadMails(app, artist, 'status=sent')).count).toBe(3);
});
