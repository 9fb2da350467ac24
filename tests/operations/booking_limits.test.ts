import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { CurrentAlarm } from '#contract/abuse.ts';
import type { Appointment, Confirmation } from '#contract/appointment.ts';
import { bookAs, mailTokenOf, openLimitedApp } from '#support/limited_app.ts';
import { solve } from '#support/proof_of_work.ts';
import { listSlots, openTestApp } from '#support/test_app.ts';

test('from the fourth request of a network on, a proof of work is required, which counts once', async () => {
  const { app, slots, book } = await openLimitedApp();
  const one = { address: '192.0.2.1' };
  for (let n = 0; n < 3; n += 1) expect((await book(one)).status).toBe(201);
  const refused = await book(one);
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({
    challenge: { parameters: { algorithm: 'PBKDF2/SHA-256' } },
  });
  const headers = await solve(refused.body);
  expect((await book({ ...one, headers })).status).toBe(201);
  expect((await book({ ...one, headers })).status).toBe(429);
  // Another server process counts the same requests, and knows the used solution.
  const second = await app.openSecondServer();
  expect((await book({ ...one, headers }, second)).status).toBe(429);
  expect((await book({ address: '198.51.100.1' }, second)).status).toBe(201);
  // A solution for one artist is none for another, and rubbish is none for anyone.
  const other = await app.newArtist();
  const [slot] = slots;
  if (!slot) throw new Error('There is no slot');
  for (let n = 0; n < 3; n += 1) await bookAs(app, other, slots[n * 4] ?? slot, one);
  const unused = await solve((await book(one)).body);
  for (const wrong of [unused, { 'Proof-Of-Work': '{' }, { 'Proof-Of-Work': '{"challenge":{}}' }]) {
    const response = await bookAs(app, other, slots[20] ?? slot, { ...one, headers: wrong });
    expect([response.status, response.body]).toMatchObject([429, { challenge: {} }]);
  }
  expect((await book({ ...one, headers: unused })).status).toBe(201);
});

test('a repeated request with the same idempotency key needs no new proof of work', async () => {
  const { app, artist, slots, book } = await openLimitedApp();
  const one = { address: '192.0.2.1' };
  for (let n = 0; n < 3; n += 1) await book(one);
  const [slot] = slots.slice(10);
  if (!slot) throw new Error('There is no slot');
  const key = { 'Idempotency-Key': crypto.randomUUID() };
  const challenge = await bookAs(app, artist, slot, { ...one, headers: key });
  const work = await solve(challenge.body);
  const first = await bookAs(app, artist, slot, { ...one, headers: { ...key, ...work } });
  expect(first.status).toBe(201);
  const again = await bookAs(app, artist, slot, { ...one, headers: key });
  expect([again.status, again.body.id]).toEqual([201, first.body.id]);
});

test('one network takes at most a fifth of the listed times; the others it gets by the mailed link', async () => {
  const { app, artist, bookWithWork } = await openLimitedApp(5);
  const listed = async () => (await listSlots(app, artist)).length;
  const before = await listed();
  const answers: string[] = [];
  for (let n = 0; n < before; n += 1) {
    const response = await bookWithWork({ address: '192.0.2.1', email: `a${n}@gmail.com` });
    const mustProve = response.body.must_prove_email ? 'mail' : 'free';
    answers.push(response.status === 201 ? mustProve : `${response.status}`);
    if (answers.filter((answer) => answer === 'mail').length === 10) break;
  }
  expect(new Set(answers)).toEqual(new Set(['free', 'mail']));
  const free = (await listed()) / before;
  expect(free).toBeGreaterThanOrEqual(0.8);
  expect(free).toBeLessThan(0.82);
  // A time that still needs the mailed link is free for others, and taken once it is confirmed.
  const last = await listSlots(app, artist);
  const [mail] = (await app.mailsAbout(/Please confirm/)).toReversed();
  expect(mail?.text).toMatch(/if nobody else has taken it by\s+then/);
  const [, id = ''] = /confirmation\/([\w-]+)/.exec(mail?.text ?? '') ?? [];
  const confirmed = await app.call<Confirmation>(`POST /appointments/confirmation/${id}`, {
    json: { mail_token: mailTokenOf(mail?.text) },
  });
  expect(confirmed.body.status).toBe('confirmed');
  expect((await listSlots(app, artist)).length).toBe(last.length - 1);
  const elsewhere = await bookWithWork({ address: '198.51.100.1' });
  expect(elsewhere.status).toBe(201);
}, 120_000);

test('with "confirm by mail", only the mailed link confirms a booking', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const own = await app.call('PATCH /users/me', {
    token: artist.token,
    json: { confirm_by_mail: true },
  });
  expect(own.body).toMatchObject({ confirm_by_mail: true });
  const [slot] = (await listSlots(app, artist)).slice(20);
  if (!slot) throw new Error('There is no slot');
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
  expect(await confirm({ mail_token: 'AAAAAAAAAAAAAAAAAAAAAA' })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('not the link that we mailed to you') },
  });
  const [mail] = await app.mailsAbout(/Please confirm/);
  const mail_token = mailTokenOf(mail?.text);
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
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const [slot] = (await listSlots(app, artist)).slice(20);
  if (!slot) throw new Error('There is no slot');
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

test('the token of one appointment proves nothing for another', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({});
  await app.call('PATCH /users/me', { token: artist.token, json: { confirm_by_mail: true } });
  const slots = await listSlots(app, artist);
  const [first, second] = [slots[20], slots[30]];
  if (!first || !second) throw new Error('There are too few slots');
  await bookAs(app, artist, first, { address: '192.0.2.1' });
  const [mail] = await app.mailsAbout(/Please confirm/);
  const other = await bookAs(app, artist, second, { address: '192.0.2.1' });
  const json = { mail_token: mailTokenOf(mail?.text) };
  const path = `POST /appointments/confirmation/${other.body.id}`;
  expect((await app.call(path, { json })).status).toBe(409);
});

test('mailboxes of a domain of its own win a sender no more of the times than the network gets', async () => {
  const { app, artist, bookWithWork } = await openLimitedApp(2);
  const listed = async () => (await listSlots(app, artist)).length;
  const before = await listed();
  const confirm = async (email: string) => {
    const { body } = await bookWithWork({ address: '192.0.2.1', email });
    const [mail] = (await app.mailsAbout(/Please confirm/)).filter(({ to }) =>
      to?.some(({ address }) => address === email),
    );
    const path = `POST /appointments/confirmation/${body.id}`;
    return app.call<Confirmation>(path, { json: { mail_token: mailTokenOf(mail?.text) } });
  };
  let refused: { status: number; body: unknown } | undefined;
  for (let n = 0; n < before && !refused; n += 1) {
    const answer = await confirm(`a${n}@one-owner.com`);
    if (answer.status !== 200) refused = answer;
  }
  expect(refused).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('Please write to the artist') },
  });
  expect((await listed()) / before).toBeGreaterThanOrEqual(0.8);
  // A mailbox of a public provider, in the same network, is somebody else's.
  expect(await confirm('rosa@gmail.com')).toMatchObject({
    status: 200,
    body: { status: 'confirmed' },
  });
}, 120_000);

test('slow requests of few networks warn the artist once they take three tenths of the times', async () => {
  const { app, artist, bookWithWork } = await openLimitedApp(5);
  const alarm = async () =>
    (await app.call<CurrentAlarm>('GET /users/me/booking-alarm', { token: artist.token })).body
      .alarm;
  const before = (await listSlots(app, artist)).length;
  const hourLater = () =>
    app.database
      .updateTable('appointments')
      .set({ created_at: sql`created_at - interval '1 hour'`, status: 'confirmed' })
      .execute();
  let free = 1;
  for (let n = 0; n < before && (await alarm()) === null; n += 1) {
    if (n % 5 === 0) await hourLater();
    const booked = await bookWithWork({ address: `192.0.${n % 6}.1`, email: `a${n}@example.com` });
    expect(booked.status).toBe(201);
    free = (await listSlots(app, artist)).length / before;
  }
  expect(await alarm()).toMatchObject({ networks: 6 });
  expect(free).toBeLessThan(0.7);
  expect(free).toBeGreaterThan(0.6);
}, 120_000);
