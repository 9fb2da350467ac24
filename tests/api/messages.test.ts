import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { ReceivedMessage } from '#contract/contact.ts';
import { sendContactMessage } from '#contract/endpoints.ts';
import { refusalOf } from '#support/call_api.ts';
import { validationMessages } from '#support/problems.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

const MESSAGE = { name: 'Rosa', email: 'rosa@example.com', message: 'Do you do\nswallows? 🐦' };

function sendMessage(app: TestApp, username: string, changes: Record<string, unknown> = {}) {
  return app.call<ReceivedMessage>(`POST /users/artist/${username}/contact`, {
    json: { ...MESSAGE, ...changes },
  });
}

test("a visitor's message is stored for the artist", async () => {
  const app = await openTestApp({ database: 'own' });
  const [artist] = [await app.newArtist(), await app.newArtist()];
  const { status, body } = await sendMessage(app, artist.username);
  expect(status).toBe(201);
  expect(body).toStrictEqual({
    id: body.id,
    ...MESSAGE,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    read_at: null,
  });
  const rows = await app.database.selectFrom('messages').selectAll().execute();
  expect(rows).toMatchObject([{ id: body.id, artist_id: artist.self.id, ...MESSAGE }]);
});

const WRONG: [Record<string, unknown>, Record<string, string>][] = [
  [{ name: '' }, { 'body.name': 'Name is required' }],
  [{ name: undefined }, { 'body.name': 'Name is required' }],
  [{ email: ' ' }, { 'body.email': 'Email is required' }],
  [{ email: 'rosa' }, { 'body.email': 'Invalid email address' }],
  [{ message: '\n ' }, { 'body.message': 'Message is required' }],
  [{ message: null }, { 'body.message': 'Message is required' }],
  [{ message: 'a\u0000b' }, { 'body.message': 'Must not contain NUL characters' }],
  [{ subject: 'Swallows' }, { 'body.subject': 'Unknown field' }],
];

test('an invalid message is refused with an error for each field, and not stored', async () => {
  const app = await openTestApp({ database: 'own' });
  const { username } = await app.newArtist();
  for (const [changes, expected] of WRONG)
    expect(
      validationMessages(
        await refusalOf(
          call(app.http(), sendContactMessage, {
            path: { username },
            body: { ...MESSAGE, ...changes },
          }),
        ),
      ),
    ).toEqual(expected);
  const long = await sendMessage(app, username, { message: 'x'.repeat(5001) });
  expect(Object.keys(validationMessages(long))).toEqual(['body.message']);
  expect(await app.database.selectFrom('messages').selectAll().execute()).toEqual([]);
});
