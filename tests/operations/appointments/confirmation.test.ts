import { sql } from 'kysely';
import type { Email } from 'postal-mime';
import { expect, test } from 'vitest';
import type { Appointment, Confirmation } from '#contract/appointment.ts';
import { DAY_MS } from '#domain/time/time.ts';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import { expireAppointment, leaveOneConnection, takeNewNotices } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { bookAs, mailsAfterWaits, mailTokenOf, openLimitedApp } from '#support/limited_app.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { OFFER_ENDED } from '#support/problems.ts';
import { findSlot, listSlots, type TestApp } from '#support/test_app.ts';

/** Uses the link of the newest mail about an appointment, which may have to come first. */
async function confirmByMail(app: TestApp, id: string) {
  const isAbout = ({ text }: Email) => text?.includes(`/confirmation/${id}`);
  const mail =
    (await app.mails()).findLast(isAbout) ?? (await mailsAfterWaits(app)).findLast(isAbout);
  const json = { mail_token: mailTokenOf(mail?.text) };
  return app.call<Confirmation>(`POST /appointments/confirmation/${id}`, { json });
}

async function askToConfirmByMail(app: TestApp, { token }: TestArtist) {
  const own = await app.call('PATCH /users/me', { token, json: { confirm_by_mail: true } });
  expect(own.body).toMatchObject({ confirm_by_mail: true });
}

const WRONG_LINK = {
  status: 409,
  body: { detail: expect.stringContaining('not the link that we mailed to you') },
};
type LimitedApp = Awaited<ReturnType<typeof openLimitedApp>>;

/** Books until the client must use the mailed link, so that the time is not kept. */
async function bookUnkept({ bookWithWork }: LimitedApp) {
  for (;;) {
    const email = `${crypto.randomUUID()}@gmail.com`;
    const { body } = await bookWithWork({ address: '192.0.2.1', email });
    if (body.must_prove_email) return body.id;
  }
}

test('with "confirm by mail", only the mailed link confirms a booking', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  await askToConfirmByMail(app, artist);
  const slot = await findSlot(app, artist, 20);
  const booked = await bookAs(app, artist, slot, { address: '192.0.2.1' });
  expect([booked.status, booked.body.must_prove_email]).toEqual([201, true]);
  const path = `/appointments/confirmation/${booked.body.id}`;
  const confirm = (json?: object) => app.call<Confirmation>(`POST ${path}`, json ? { json } : {});
  const refusal = {
    status: 409,
    body: {
      detail: 'This appointment is confirmed with the link that we mailed to you. Please open it.',
    },
  };
  expect(await confirm()).toMatchObject(refusal);
  expect(await confirm({ mail_token: 'A'.repeat(22) })).toMatchObject(WRONG_LINK);
  const [mail] = await app.mailsAbout(/Please confirm/);
  const mail_token = mailTokenOf(mail?.text);
  // The token of one appointment proves nothing for another.
  const sender = { address: '192.0.2.1' };
  const { body: other } = await bookAs(app, artist, await findSlot(app, artist, 30), sender);
  const foreign = `POST /appointments/confirmation/${other.id}`;
  expect((await app.call(foreign, { json: { mail_token } })).status).toBe(409);
  const confirmed = await confirm({ mail_token });
  expect(confirmed.body).toMatchObject({ status: 'confirmed', must_prove_email: false });
  const seen = await app.call<Appointment>(`GET /appointments/${booked.body.id}`, {
    token: artist.token,
  });
  expect(seen.body.email_proven).toBe(true);
  // Repeating it is harmless, also without the token.
  expect((await confirm()).status).toBe(200);
});

test('a client who uses the mailed link proves their email, also after confirming without it', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const slot = await findSlot(app, artist, 20);
  const { body } = await bookAs(app, artist, slot, { address: '192.0.2.1' });
  const isProven = async () => {
    const path = `GET /appointments/${body.id}`;
    return (await app.call<Appointment>(path, { token: artist.token })).body.email_proven;
  };
  const path = `POST /appointments/confirmation/${body.id}`;
  expect((await app.call(path)).status).toBe(200);
  expect(await isProven()).toBe(false);
  const [mail] = await app.mailsAbout(/Booked/);
  const json = { mail_token: mailTokenOf(mail?.text) };
  expect((await app.call(path, { json })).status).toBe(200);
  expect(await isProven()).toBe(true);
});

test('one mailbox wins no more of the times than a network, although it proves each booking', async () => {
  const { app, bookWithWork, countListed } = await openLimitedApp(2);
  const before = await countListed();
  let answer: { status: number } = { status: 200 };
  for (let n = 0; n < before && answer.status === 200; n += 1) {
    // An hour later, the mailbox gets mail again.
    await app.database.deleteFrom('counted_mails').execute();
    const booked = await bookWithWork({ address: '192.0.2.1', email: 'eve@gmail.com' });
    answer = await confirmByMail(app, booked.body.id);
  }
  expect(answer).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('Please write to the artist') },
  });
  const free = (await countListed()) / before;
  expect(free).toBeGreaterThanOrEqual(0.8);
  expect(free).toBeLessThan(0.9);
}, 120_000);

test('a time that is kept for a client is confirmed, however many of their provider have booked', async () => {
  const { app, artist, book } = await openLimitedApp(2);
  await askToConfirmByMail(app, artist);
  const answers: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    const email = `c${n}@town-isp.example.net`;
    const { body } = await book({ address: `198.51.${n}.1`, email });
    expect(body.lapses_at).not.toBeNull();
    answers.push((await confirmByMail(app, body.id)).status);
  }
  expect(new Set(answers)).toEqual(new Set([200]));
});

function setAge({ database }: TestApp, id: string, days: number) {
  const created_at = new Date(Date.now() - days * DAY_MS);
  return database.updateTable('appointments').set({ created_at }).where('id', '=', id).execute();
}

test('a time that the artist has set is confirmed late, without a service, whatever share the sender has', async () => {
  const limited = await openLimitedApp(2);
  const { app, artist } = limited;
  const id = await bookUnkept(limited);
  const [free] = (await listSlots(app, artist)).toReversed();
  const json = { ...free, service_id: null };
  const moved = await app.call(`PATCH /appointments/${id}`, { token: artist.token, json });
  expect(moved.status).toBe(200);
  await app.runJobs();
  await expireAppointment(app, id);
  await setAge(app, id, 15);
  const page = await app.call<Confirmation>(`GET /appointments/confirmation/${id}`);
  expect(page.body.can).toEqual(['confirm']);
  expect((await confirmByMail(app, id)).status).toBe(200);
}, 60_000);

test('after two weeks, nothing reserves a time that was not kept', async () => {
  const limited = await openLimitedApp(2);
  const { app } = limited;
  const bookAgo = async (ageDays: number) => {
    const id = await bookUnkept(limited);
    await app.runJobs();
    await setAge(app, id, ageDays);
    return id;
  };
  const [old, recent] = [await bookAgo(15), await bookAgo(13)];
  expect((await confirmByMail(app, old)).body).toMatchObject({
    detail: expect.stringContaining('no longer available'),
  });
  expect((await confirmByMail(app, recent)).body.status).toBe('confirmed');
}, 120_000);

test('holds that expire and are confirmed later win a network no more times', async () => {
  const { app, bookWithWork, countListed } = await openLimitedApp(2);
  const before = await countListed();
  const expireAll = () =>
    app.database
      .updateTable('appointment_times')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('expires_at', 'is not', null)
      .execute();
  const ids: string[] = [];
  // Each wave is kept while it is held, and counts no longer once it has expired.
  for (let wave = 0; wave < 4; wave += 1) {
    for (let n = 0; n < 4; n += 1) {
      const { status, body } = await bookWithWork({ address: '192.0.2.1' });
      if (status === 201) ids.push(body.id);
    }
    await expireAll();
  }
  expect(await countListed()).toBe(before);
  const confirm = (id: string) => app.call<Confirmation>(`POST /appointments/confirmation/${id}`);
  // One connection is enough: all others may be of changes that wait for a second one.
  const release = await leaveOneConnection(app);
  const answers = [(await confirm(ids.pop() ?? '')).status];
  await release();
  for (const id of ids) answers.push((await confirm(id)).status);
  expect(answers).toContain(200);
  expect(answers).toContain(409);
  expect(answers).not.toContain(503);
  expect((await countListed()) / before).toBeGreaterThanOrEqual(0.8);
}, 120_000);

test('holds of many networks that are confirmed later warn the artist', async () => {
  const { app, bookWithWork, loadAlarm } = await openLimitedApp();
  const ids: string[] = [];
  for (let n = 0; n < 20; n += 1) {
    const sender = { address: `198.51.${n}.1`, email: `a${n}@example.com` };
    ids.push((await bookWithWork(sender)).body.id);
    await app.database
      .updateTable('appointment_times')
      .set({ expires_at: new Date(0) })
      .execute();
    // Earlier ones expire, as in the minutely tasks.
    await app.database.updateTable('appointments').set({ status: 'expired' }).execute();
  }
  expect(await loadAlarm()).toBeNull();
  await sql`UPDATE appointments
    SET created_at = created_at - interval '25 hours', counted_at = counted_at - interval '25 hours'
  `.execute(app.database);
  for (const id of ids)
    expect((await app.call(`POST /appointments/confirmation/${id}`)).body).toMatchObject({
      status: 'confirmed',
    });
  expect(await loadAlarm()).toMatchObject({ bookings: 20, confirmed: 20 });
}, 60_000);

test('the mailed link proves the email also when the time is taken', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const slot = await findSlot(app, artist, 20);
  const { body } = await bookAs(app, artist, slot, { address: '192.0.2.1', email: 'a@gmail.com' });
  await expireAppointment(app, body.id);
  const other = await bookAs(app, artist, slot, { address: '192.0.2.2', email: 'b@gmail.com' });
  expect(other.status).toBe(201);
  expect((await confirmByMail(app, body.id)).status).toBe(409);
  const proven = await app.database.selectFrom('mailboxes').select('mailbox').execute();
  expect(proven.map(({ mailbox }) => mailbox)).toContain(hashMailbox('a@gmail.com'));
});

test('the mailed link proves the email of a request whose offer has ended, and confirms nothing', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' }, { scheduling_type: 'managed' });
  await askToConfirmByMail(app, artist);
  const asked = await app.call<Confirmation>(
    `POST /appointments/request/design?username=${artist.username}`,
    { json: { email: 'rosa@example.com', design_id: null } },
  );
  const { id } = asked.body;
  const { start, end } = await findSlot(app, artist);
  await app.call(`PATCH /appointments/${id}`, { token: artist.token, json: { start, end } });
  const [mail] = await app.mailsAbout(/A time for you/);
  await expireAppointment(app, id);
  const confirm = (json?: object) =>
    app.call<Confirmation>(`POST /appointments/confirmation/${id}`, json ? { json } : {});
  expect(await confirm()).toMatchObject(OFFER_ENDED);
  expect(await confirm({ mail_token: 'A'.repeat(22) })).toMatchObject(WRONG_LINK);
  const json = { mail_token: mailTokenOf(mail?.text) };
  await takeNewNotices(app);
  const proven = await confirm(json);
  expect(proven).toMatchObject({
    status: 200,
    body: { status: 'requested', must_prove_email: false },
  });
  const mails = ['offer_ended to rosa@example.com', `offer_lapsed to ${artist.self.email}`];
  expect(await takeNewNotices(app)).toEqual(mails);
  // The email is proven already, so this could only confirm the offer.
  expect(await confirm(json)).toMatchObject(OFFER_ENDED);
});

test('the answer to a confirmation is what the client then reads', async () => {
  const { app, artist } = await openArtistApp();
  const slot = await findSlot(app, artist, 20);
  const { body: held } = await bookAs(app, artist, slot, { address: '192.0.2.1' });
  const path = `/appointments/confirmation/${held.id}`;
  const { body: confirmed } = await app.call<Confirmation>(`POST ${path}`);
  expect([confirmed.status, confirmed.version]).toEqual(['confirmed', held.version + 1]);
  expect((await app.call(`GET ${path}`)).body).toEqual(confirmed);
});
