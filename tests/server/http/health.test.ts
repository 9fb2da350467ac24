import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#server/database/connect.ts';
import type { Finding } from '#server/doctor/finding.ts';
import { createApp } from '#server/http/app.ts';
import { callApi } from '#support/call_api.ts';
import { API_SETTINGS } from '#support/served_handler.ts';
import { openTestContext } from '#support/test_context.ts';

const TOKEN = 'a token that monitoring knows';
const FINDINGS: readonly Finding[] = [
  { status: 'ok', part: 'disk', message: '60 GB are free.' },
  { status: 'warning', part: 'mail', message: 'Nothing is sent.', advice: 'Set SMTP_URL.' },
];
const UNREACHABLE = 'postgresql://nobody@127.0.0.1:1/nothing';

/** Asks for the state of each part, with an `Authorization` header or without. */
async function askVerbosely(
  authorization: string | undefined,
  { healthToken = TOKEN, url }: { healthToken?: string | null; url?: string } = {},
) {
  const database = url === undefined ? undefined : openDatabase(url, 1);
  onTestFinished(() => database?.destroy());
  const { context } = await openTestContext({
    server: {
      readVersion: async () => '1.2.3',
      readDisk: async () => ({ freeBytes: 250, totalBytes: 1000 }),
      runDoctor: async () => FINDINGS,
    },
    ...(database && { database }),
  });
  const config = { ...API_SETTINGS, healthToken: healthToken ?? undefined };
  const { app } = createApp(context, config);
  return callApi(
    async (...request) => app.fetch(new Request(...request), { clientIp: '192.0.2.1' }),
    'http://linework.test',
    'GET /readyz?verbose',
    authorization === undefined ? {} : { headers: { Authorization: authorization } },
  );
}

test('with the token, /readyz?verbose says what the doctor finds in each part', async () => {
  expect(await askVerbosely(`Bearer ${TOKEN}`)).toMatchObject({
    status: 200,
    body: { status: 'ready', parts: FINDINGS },
  });
});

test('while the database does not work, /readyz?verbose answers 503 with the parts', async () => {
  const answer = await askVerbosely(`Bearer ${TOKEN}`, { url: UNREACHABLE });
  expect(answer).toMatchObject({ status: 503, body: { status: 'not_ready', parts: FINDINGS } });
  expect(answer.headers.get('Retry-After')).toBe('10');
});

test('with a wrong token, and without HEALTH_TOKEN, /readyz?verbose refuses everyone and tells nothing', async () => {
  for (const wrong of [undefined, `Bearer ${TOKEN.slice(0, -1)}`, `Bearer ${TOKEN}x`, TOKEN]) {
    const answer = await askVerbosely(wrong);
    expect(answer, wrong).toMatchObject({ status: 401, body: { detail: 'Please log in' } });
    expect(JSON.stringify(answer.body)).not.toContain('disk');
  }
  for (const any of [undefined, 'Bearer ', 'Bearer undefined', `Bearer ${TOKEN}`])
    expect((await askVerbosely(any, { healthToken: null })).status, any).toBe(401);
});
