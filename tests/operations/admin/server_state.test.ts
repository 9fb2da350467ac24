import { expect, test } from 'vitest';
import { insertBackup } from '#server/database/backups.ts';
import { insertServerErrors, jobRoute } from '#server/database/server_errors.ts';
import * as state from '#server/operations/admin/server_state.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const ERROR = {
  ...{ happenedAt: Date.parse('2030-06-03T12:00:00Z'), requestId: null, status: null },
  ...{ route: jobRoute('purge'), name: 'Error', code: 'ECONNRESET', message: 'hung up' },
  stack: '',
};

async function setUp() {
  const { database } = await openTestApp({ database: 'own' });
  return openTestContext({ database });
}

test('the server’s versions, its disk and the last backup are shown', async () => {
  const { context } = await setUp();
  expect(await state.loadServerState(context, Date.now())).toEqual({
    versions: {
      program: '1.2.3',
      node: process.version,
      postgres: expect.stringMatching(/^\d+\.\d+$/),
      migration: expect.stringMatching(/^\d{4}_\w+\.sql$/),
    },
    sends_mail: true,
    disk: { free_bytes: 250, total_bytes: 1000 },
    backup: null,
    troubles: {
      ...{ failed_mails: 0, new_failed_mails: 0, retried_mails: 0 },
      ...{ failed_jobs: 0, errors: 0, new_errors: 0 },
    },
  });
  await insertBackup(context.database, { file: 'monday.tar', bytes: 2048, seconds: 3 });
  expect((await state.loadServerState(context, Date.now())).backup).toMatchObject({
    file: 'monday.tar',
    bytes: 2048,
    seconds: 3,
  });
});

test('a server without a mail server says that it sends no mail; the doctor’s findings have an advice, or null when all is well', async () => {
  const { context } = await openTestContext({
    mailer: { onlySaves: true, send: async () => {}, close: () => {} },
    server: {
      readVersion: async () => '1',
      readDisk: async () => ({ freeBytes: 1, totalBytes: 2 }),
      runDoctor: async () => [
        { part: 'disk', status: 'ok', message: 'Free.' },
        { part: 'mail', status: 'warning', message: 'Saved, not sent.', advice: 'Set SMTP_URL.' },
      ],
    },
  });
  expect(await state.loadServerState(context, Date.now())).toMatchObject({ sends_mail: false });
  expect((await state.runServerChecks(context)).data).toEqual([
    { part: 'disk', status: 'ok', message: 'Free.', advice: null },
    { part: 'mail', status: 'warning', message: 'Saved, not sent.', advice: 'Set SMTP_URL.' },
  ]);
});

test('each queue has its own last error', async () => {
  const { context } = await setUp();
  await insertServerErrors(context.database, [{ ...ERROR, message: 'first' }, ERROR]);
  const { data } = await state.listQueueStates(context);
  const errorOf = (name: string) => data.find(({ queue }) => queue === name)?.last_error;
  expect(errorOf('purge')).toEqual({
    happened_at: '2030-06-03T12:00:00Z',
    ...{ name: 'Error', code: 'ECONNRESET', message: 'hung up' },
  });
  expect(errorOf('mail')).toBeNull();
});

test('errors are listed with the id of their request', async () => {
  const { context } = await setUp();
  const ofRequest = { ...ERROR, requestId: 'abc-1', status: 500, route: 'GET /' };
  const another = { ...ofRequest, requestId: 'd2fe54ec93-9e' };
  await insertServerErrors(context.database, [ERROR, ofRequest, another]);
  const page = { skip: 0, limit: 10 };
  expect((await state.listServerErrors(context, { ...page, search: 'abc-1' })).data).toMatchObject([
    { request_id: 'abc-1', status: 500, route: 'GET /', happened_at: '2030-06-03T12:00:00Z' },
  ]);
  // As a client passes it on.
  expect(
    await state.listServerErrors(context, { ...page, search: ' (Reference: D2FE54EC93-9e). ' }),
  ).toMatchObject({ count: 1, data: [{ request_id: 'd2fe54ec93-9e' }] });
  expect((await state.listServerErrors(context, page)).count).toBe(3);
});
