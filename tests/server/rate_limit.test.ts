import { expect, test } from 'vitest';
import { refusalOf } from '#support/call_api.ts';
import { bookSlot, FILLED_FORM, listSlots, openTestApp } from '#support/test_app.ts';

const TOO_MANY = {
  status: 429,
  body: { detail: 'Too many tries. Please wait a moment and try again.' },
};

test('ten requests an hour are allowed for one mailbox, across its spellings and client addresses', async () => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const sendRequest = (n: number, email: string) =>
    app.call(`POST /appointments/request/design?username=${artist.username}`, {
      json: { ...FILLED_FORM, email },
      address: `192.0.2.${n}`,
    });
  const spellings = ['rosa@example.com', 'Rosa@Example.com', 'rosa+ink@example.com'];
  for (let n = 0; n < 10; n += 1)
    expect((await sendRequest(n, spellings[n % 3] ?? '')).status).toBe(201);
  const refused = await sendRequest(11, 'rosa+more@example.com');
  expect(refused).toMatchObject(TOO_MANY);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(3600);
  expect((await sendRequest(11, 'lena@example.com')).status).toBe(201);
  expect(await app.mailsAbout(/Your request/)).toHaveLength(11);
  expect(app.logged.join()).not.toContain('@');
});

test('refused bookings, and repeated ones with one idempotency key, do not count toward the mail quota', async () => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const artist = await app.newArtist();
  const slots = await listSlots(app, artist);
  const [first, taken] = slots;
  if (!first || !taken) throw new Error('There are too few slots');
  await bookSlot(app, artist, taken, { email: 'lena@example.com' });
  for (let n = 0; n < 12; n += 1)
    expect((await refusalOf(bookSlot(app, artist, taken))).status).toBe(409);
  const key = crypto.randomUUID();
  const { service } = artist;
  const json = { ...FILLED_FORM, service_id: service.id, design_id: null, ...first };
  for (let n = 0; n < 12; n += 1) {
    const response = await app.call(
      `POST /appointments/request/service?username=${artist.username}`,
      { json, headers: { 'Idempotency-Key': key } },
    );
    expect(response.status).toBe(201);
  }
});

test('sixty messages an hour are allowed for one artist', async () => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const artist = await app.newArtist();
  const statuses = [];
  for (let n = 0; n < 61; n += 1) {
    const response = await app.call(`POST /users/artist/${artist.username}/contact`, {
      json: { name: 'Rosa', email: `rosa${n}@example.com`, message: 'Hello' },
      address: `198.51.${n}.1`,
    });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([...Array(60).fill(201), 429]);
});
