import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Confirmation } from '#contract/appointment.ts';
import type { Service } from '#contract/service.ts';
import { addDesignRow } from '#support/app_rows.ts';
import { bookAs, mailsAfterWaits, mailTokenOf, openLimitedApp } from '#support/limited_app.ts';
import { solve } from '#support/proof_of_work.ts';
import { listSlots } from '#support/test_app.ts';

test('from the fourth request of a network on, a proof of work is required, which counts once', async () => {
  const { app, book } = await openLimitedApp();
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
  const { app, bookWithWork, countListed } = await openLimitedApp(5);
  const before = await countListed();
  const answers: string[] = [];
  for (let n = 0; n < before; n += 1) {
    const response = await bookWithWork({ address: '192.0.2.1', email: `a${n}@gmail.com` });
    const mustProve = response.body.must_prove_email ? 'mail' : 'free';
    answers.push(response.status === 201 ? mustProve : `${response.status}`);
    if (answers.filter((answer) => answer === 'mail').length === 10) break;
  }
  expect(new Set(answers)).toEqual(new Set(['free', 'mail']));
  const free = (await countListed()) / before;
  expect(free).toBeGreaterThanOrEqual(0.8);
  expect(free).toBeLessThan(0.82);
  // A time that still needs the mailed link is free for others, and taken once it is confirmed.
  const last = await countListed();
  const [mail] = (await app.mailsAbout(/Please confirm/)).toReversed();
  expect(mail?.text).toMatch(/if nobody else has taken it by\s+then/);
  const [, id = ''] = /confirmation\/([\w-]+)/.exec(mail?.text ?? '') ?? [];
  const confirmed = await app.call<Confirmation>(`POST /appointments/confirmation/${id}`, {
    json: { mail_token: mailTokenOf(mail?.text) },
  });
  expect(confirmed.body.status).toBe('confirmed');
  expect(await countListed()).toBe(last - 1);
  const elsewhere = await bookWithWork({ address: '198.51.100.1' });
  expect(elsewhere.status).toBe(201);
}, 120_000);

/** Books from one address after another until `enough` answers match, or nothing is left. */
async function bookUntil(
  { bookWithWork, countListed }: Awaited<ReturnType<typeof openLimitedApp>>,
  addressOf: (nth: number) => string,
  enough: (booked: readonly Confirmation[]) => boolean,
): Promise<readonly Confirmation[]> {
  const booked: Confirmation[] = [];
  for (let n = 0, left = await countListed(); n < left && !enough(booked); n += 1) {
    const response = await bookWithWork({ address: addressOf(n), email: `a${n}@gmail.com` });
    if (response.status === 201) booked.push(response.body);
  }
  return booked;
}

test('moves are judged by the same shares: bookings back to back cannot be moved apart', async () => {
  const limited = await openLimitedApp(5);
  const { app, artist } = limited;
  const { token } = artist;
  const json = { client_move_notice_hours: 0 };
  await app.call('PATCH /users/me/schedule', { token, json });
  const sleeve = { token, json: { name: 'Sleeve', duration: 180 } };
  const { body: service } = await app.call<Service>('POST /services/', sleeve);
  const countLong = async () => (await listSlots(app, { ...artist, service })).length;
  const before = await countLong();
  const isNotReserved = ({ must_prove_email }: Confirmation) => must_prove_email;
  const isEnough = (all: readonly Confirmation[]) => all.some(isNotReserved);
  const booked = await bookUntil(limited, () => '192.0.2.1', isEnough);
  const reserved = booked.filter((one) => !isNotReserved(one));
  for (const { id } of reserved) await app.call(`POST /appointments/confirmation/${id}`);
  const far = (await listSlots(app, artist)).toReversed().filter((_, nth) => nth % 4 === 1);
  const move = (nth: number, to: object) =>
    app.call(`POST /appointments/confirmation/${reserved[nth]?.id}/move`, { json: to });
  const answers = [];
  for (const nth of reserved.keys()) answers.push(await move(nth, { ...far[nth] }));
  expect((await countLong()) / before).toBeGreaterThanOrEqual(0.8);
  expect(answers.at(-1)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('open the link that we mailed to you') },
  });
  // The artist is free to move; then the last one takes no more by going to the place of that one.
  const last = reserved.length - 1;
  const moved = await app.call(`PATCH /appointments/${reserved[last - 1]?.id}`, {
    token,
    json: { ...far[last - 1] },
  });
  expect(moved.status).toBe(200);
  const place = { start: reserved[last - 1]?.start, end: reserved[last - 1]?.end };
  expect((await move(last, place)).status).toBe(200);
  const mails = await mailsAfterWaits(app);
  const mail = mails.findLast(({ text }) => text?.includes(`${reserved[last]?.id}?mail_token`));
  const proven = { ...far[last], mail_token: mailTokenOf(mail?.text) };
  expect((await move(last, proven)).status).toBe(200);
}, 120_000);

test('one network takes at most three pieces, or a fifth of them, without the mailed link', async () => {
  const { app, artist, slots } = await openLimitedApp();
  const designs = await Promise.all(
    Array.from({ length: 8 }, () => addDesignRow(app, artist, { editions: 1 })),
  );
  const bookPiece = async (nth: number, address: string) => {
    const [slot, design] = [slots[nth * 2], designs[nth]];
    if (!slot || !design) throw new Error('There are too few');
    const sender = { address, email: `a${nth}@gmail.com`, design_id: design.id };
    const first = await bookAs(app, artist, slot, sender);
    if (first.status !== 429) return first.body;
    return (await bookAs(app, artist, slot, { ...sender, headers: await solve(first.body) })).body;
  };
  const left = async () =>
    (await app.call<{ count: number }>(`GET /designs/${artist.username}/available`)).body.count;
  for (const nth of [0, 1, 2])
    expect(await bookPiece(nth, '192.0.2.1')).not.toHaveProperty('must_prove_email', true);
  expect(await left()).toBe(5);
  const fourth = await bookPiece(3, '192.0.2.1');
  expect(fourth).toMatchObject({ status: 'held', must_prove_email: true });
  // It stays free for others until its client has used the mailed link.
  expect(await left()).toBe(5);
  expect(await bookPiece(3, '198.51.100.1')).not.toHaveProperty('must_prove_email', true);
  expect(await left()).toBe(4);
}, 120_000);

test('slow requests of few networks warn the artist once they take three tenths of the times', async () => {
  const { app, bookWithWork, loadAlarm, countListed } = await openLimitedApp(5);
  const before = await countListed();
  const hourLater = () =>
    app.database
      .updateTable('appointments')
      .set({ counted_at: sql`counted_at - interval '1 hour'`, status: 'confirmed' })
      .execute();
  let free = 1;
  for (let n = 0; n < before && (await loadAlarm()) === null; n += 1) {
    if (n % 5 === 0) await hourLater();
    const booked = await bookWithWork({ address: `192.0.${n % 6}.1`, email: `a${n}@example.com` });
    expect(booked.status).toBe(201);
    free = (await countListed()) / before;
  }
  expect(await loadAlarm()).toMatchObject({ networks: 6 });
  expect(free).toBeLessThan(0.7);
  expect(free).toBeGreaterThan(0.6);
}, 120_000);
