import type { Email } from 'postal-mime';
import { expect, test } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import { PROOF } from '#support/new_artist.ts';
import { bookSlot, findSlot, openTestApp } from '#support/test_app.ts';

const DESK = 'desk@example.com';

async function setUp() {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const show = (public_email: object) =>
    app.call<CurrentArtist>('PATCH /users/me', { token: artist.token, json: { public_email } });
  return { app, artist, show };
}

function allText(mail: Email): string {
  const files = mail.attachments.map(({ content }) =>
    typeof content === 'string' ? content : new TextDecoder().decode(content),
  );
  return [JSON.stringify(mail.headers), mail.text, mail.html, ...files]
    .join('\n')
    .replaceAll('\r\n ', '');
}

test.each([
  ['another email', { kind: 'other', email: DESK }, DESK],
  ['none', { kind: 'none' }, null],
] as const)('with %s, clients see the email of the account nowhere', async (_, shown, expected) => {
  const { app, artist, show } = await setUp();
  expect((await show(shown)).body).toMatchObject({ email: artist.self.email, public_email: shown });
  const { id } = await bookSlot(app, artist, await findSlot(app, artist));
  await app.call(`POST /appointments/confirmation/${id}`);
  const pages = ['designs', 'services', 'portfolio', 'scheduling'].map(
    (page) => `GET /users/artist/${artist.username}/pages/${page}`,
  );
  for (const call of [
    ...pages,
    `GET /users/artist/${artist.username}`,
    `GET /appointments/confirmation/${id}`,
    `GET /appointments/confirmation/${id}/page`,
    'GET /users/artists',
    'GET /users/artists/explore',
  ]) {
    const { status, body } = await app.call(call);
    expect([call, status]).toEqual([call, 200]);
    expect([call, JSON.stringify(body).includes(artist.self.email)]).toEqual([call, false]);
  }
  expect(await app.call(`GET /users/artist/${artist.username}`)).toMatchObject({
    body: { email: expected },
  });
  const mails = await app.mailsTo('rosa@example.com');
  expect(mails.length).toBeGreaterThan(0);
  for (const mail of mails) {
    expect(allText(mail)).not.toContain(artist.self.email);
    expect(mail.replyTo?.[0]?.address ?? null).toBe(expected);
  }
  const organizer = expected ?? 'no-reply@linework.test';
  expect(mails.map(allText).join('\n').toLowerCase()).toContain(`mailto:${organizer}`);
  // The artist's own mails still go to the account.
  const toArtist = await app.mailsTo(artist.self.email);
  expect(toArtist.length).toBeGreaterThan(0);
});

test('unless the artist chooses otherwise, the page shows the email of the account', async () => {
  const { app, artist, show } = await setUp();
  const page = () => app.call(`GET /users/artist/${artist.username}`);
  expect(await page()).toMatchObject({ body: { email: artist.self.email } });
  await show({ kind: 'none' });
  await show({ kind: 'account' });
  expect(await page()).toMatchObject({ body: { email: artist.self.email } });
});

test.each([
  { kind: 'other' },
  { kind: 'other', email: 'desk' },
  { kind: 'hidden' },
  { kind: 'none', email: DESK },
])('the choice %j of a shown email is refused', async (choice) => {
  const { show } = await setUp();
  expect((await show(choice)).status).toBe(422);
});

test('the mail about a deleted account still names the organizer of its calendar entry', async () => {
  const { app, artist, show } = await setUp();
  await show({ kind: 'other', email: DESK });
  const { id } = await bookSlot(app, artist, await findSlot(app, artist));
  await app.call(`POST /appointments/confirmation/${id}`);
  await app.mails();
  await show({ kind: 'none' });
  expect((await app.call('DELETE /users/me', { token: artist.token, json: PROOF })).status).toBe(
    204,
  );
  const mail = (await app.mailsTo('rosa@example.com')).at(-1);
  expect(mail?.subject).toMatch(/^Cancelled/);
  expect(mail && allText(mail).toLowerCase()).toContain(`mailto:${DESK}`);
  expect(mail && allText(mail)).not.toContain(artist.self.email);
});
