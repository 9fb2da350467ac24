import { expect, test } from 'vitest';
import { FILLED_FORM, openTestApp } from '#support/test_app.ts';

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
