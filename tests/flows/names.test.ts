import { expect, test } from 'vitest';
import { openArtistApp } from '#support/artist_app.ts';
import { FILLED_FORM } from '#support/test_app.ts';

const AT = '2030-01-07T15:00:00Z';

const REFUSED = [
  ['a link', 'Win at www.evil.com', 'Must not contain a link'],
  ['a line break', 'Rosa\nQuint', 'Must be one line of text'],
  ['a text direction override', 'Rosa \u202egp', 'Must be one line of text'],
  ['only zero-width spaces', '\u200b\u200b', 'Must contain visible characters'],
  ['more than 80 characters', 'x'.repeat(81), 'Must be at most 80 characters'],
] as const;

test.each(REFUSED)('no name may contain %s', async (_, name, msg) => {
  const { app, username, token, service } = await openArtistApp({}, { scheduling_type: 'managed' });
  const calls: readonly [operation: string, json: object][] = [
    ['PATCH /users/me', { full_name: name }],
    ['PATCH /users/me', { studio: { name } }],
    ['PATCH /users/me', { studio: { address_one: name } }],
    ['PATCH /users/me', { studio: { address_two: name } }],
    ['PATCH /users/me', { studio: { city: name } }],
    [`PATCH /services/${service.id}`, { name }],
    [
      `POST /appointments/request/design?username=${username}`,
      { ...FILLED_FORM, first_name: name },
    ],
    [
      'POST /appointments/request/service',
      { ...FILLED_FORM, last_name: name, service_id: service.id, start: AT, end: AT },
    ],
    [
      `POST /users/artist/${username}/contact`,
      { name, email: 'rosa@example.com', message: 'Hello' },
    ],
  ];
  for (const [operation, json] of calls) {
    const response = await app.call<{ detail: { msg: string }[] }>(operation, { token, json });
    expect([operation, response.status]).toEqual([operation, 422]);
    expect(response.body.detail.map((item) => item.msg)).toContain(msg);
  }
});

test('an artist whose stored name is longer than new ones may be can change everything else', async () => {
  const { app, token, self } = await openArtistApp({}, { full_name: 'x'.repeat(120) });
  const response = await app.call('PATCH /users/me', { token, json: { about_me: 'I draw.' } });
  expect([response.status, self.full_name.length]).toEqual([200, 120]);
});
