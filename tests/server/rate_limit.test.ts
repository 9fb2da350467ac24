import { expect, test } from 'vitest';
import { openArtistApp } from '#support/artist_app.ts';
import { FILLED_FORM, openTestApp } from '#support/test_app.ts';

const TOO_MANY = {
  status: 429,
  body: { detail: expect.stringMatching(/^Too many tries\. Please try again in \d/) },
};

test('no call is refused because a mailbox has had many mails', async () => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  for (let n = 0; n < 9; n += 1) {
    const address = `198.51.${n}.1`;
    const message = await app.call(`POST /users/artist/${artist.username}/contact`, {
      json: { name: 'Rosa', email: `rosa${n}@example.com`, message: 'Hello' },
      address,
    });
    const request = await app.call(
      `POST /appointments/request/design?username=${artist.username}`,
      { json: FILLED_FORM, address },
    );
    expect([message.status, request.status]).toEqual([201, 201]);
  }
});

test('at most twenty messages a minute are sent from one network', async () => {
  const { app, artist } = await openArtistApp({ database: 'own', rateLimit: true });
  const sendMessage = () =>
    app.call(`POST /users/artist/${artist.username}/contact`, {
      json: { name: 'Rosa', email: 'rosa@example.com', message: 'Hello' },
      address: '192.0.2.9',
    });
  for (let n = 0; n < 20; n += 1) expect((await sendMessage()).status).toBe(201);
  const refused = await sendMessage();
  expect(refused).toMatchObject(TOO_MANY);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(app.logged.join()).not.toContain('@');
});
