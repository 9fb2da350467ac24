import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import {
  deleteExport,
  deleteMe,
  listExports,
  listSecurityEvents,
  startExport,
} from '#contract/endpoints.ts';
import type { Export } from '#contract/export.ts';
import { DAY_MS, HOUR_MS } from '#domain/time/time.ts';
import { deleteExpiredExports } from '#server/operations/expired_exports.ts';
import { downloadExport } from '#server/operations/exports/exports.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { type ApiResponse, expectOk, refusalOf } from '#support/call_api.ts';
import { addArtist } from '#support/database_rows.ts';
import { makeExport, openExport, tokenOf } from '#support/exports.ts';
import { PASSWORD, PROOF, type TestArtist } from '#support/new_artist.ts';
import { NOT_FOUND, UNKNOWN_ID } from '#support/problems.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

async function files({ folders }: TestApp): Promise<string[]> {
  return readdir(join(folders.media, '..', 'exports')).catch(() => []);
}

function download(app: TestApp, { id }: Export, token: string) {
  return app.call(`GET /users/exports/${id}/download?token=${token}`);
}

test('an export waits for its job, then can be downloaded for a day, without a login', async () => {
  const { app, artist } = await openArtistApp();
  const [started, ...others] = await Promise.all(
    [1, 2, 3].map(() => call(artist.http, startExport)),
  );
  expect(started).toMatchObject({ state: 'waiting', expires_at: null, size: null, url: null });
  // Concurrent calls start one.
  for (const other of others) expect(other.id).toBe(started?.id);
  await app.runJobs('export');
  const { data, count } = await call(artist.http, listExports);
  const [made] = data;
  expect([count, made]).toMatchObject([1, { id: started?.id, state: 'ready' }]);
  if (!made) return;
  expect(made.done).toBe(made.total);
  const lifetime = Date.parse(made.expires_at ?? '') - Date.parse(made.created_at);
  expect(lifetime / HOUR_MS).toBeCloseTo(24, 1);
  const { status, headers } = await download(app, made, tokenOf(made));
  expect([status, Object.fromEntries(headers)]).toMatchObject([
    200,
    {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="linework-${artist.username}-${made.created_at.slice(0, 10)}.zip"`,
      'cache-control': 'no-store',
      'content-length': String(made.size),
    },
  ]);
  expect(Object.keys(await openExport(app, made))).toContain('README.txt');
});

test('a wrong token, the token of another export and an unknown export are 404', async () => {
  const app = await openTestApp();
  const [one, other] = [
    await makeExport(app, await app.newArtist()),
    await makeExport(app, await app.newArtist()),
  ];
  expect(await download(app, one, tokenOf(other))).toMatchObject(NOT_FOUND);
  expect(await download(app, one, `${tokenOf(one)}x`)).toMatchObject(NOT_FOUND);
  const gone = { ...one, id: UNKNOWN_ID };
  expect(await download(app, gone, tokenOf(one))).toMatchObject(NOT_FOUND);
});

test('the link of an export is 404 after a day, and its file is deleted', async () => {
  const { context } = await openTestContext();
  const { app, artist } = await openArtistApp();
  const made = await makeExport(app, artist);
  const end = Date.parse(made.expires_at ?? '');
  const open = (now: number) => downloadExport(context, made.id, tokenOf(made), now);
  expect((await open(end - 1)).size).toBe(made.size);
  // The API's instants are whole seconds.
  await expect(open(end + 1000)).rejects.toThrow('not_found');
  expect(await files(app)).toHaveLength(1);
  await app.runMinutelyTasks(end + 1000);
  expect(await files(app)).toEqual([]);
  expect(await call(artist.http, listExports)).toEqual({ data: [], count: 0 });
});

test('a second call answers the unfinished export, and five a day can be started', async () => {
  const { app, artist } = await openArtistApp({ rateLimit: true });
  const first = await call(artist.http, startExport);
  expect((await call(artist.http, startExport)).id).toBe(first.id);
  await app.runJobs('export');
  for (let nth = 2; nth <= 5; nth += 1) await makeExport(app, artist);
  expect((await refusalOf(call(artist.http, startExport))).status).toBe(429);
});

test('a deleted export goes with its file; another artist’s is 404', async () => {
  const app = await openTestApp();
  const [artist, other] = [await app.newArtist(), await app.newArtist()];
  const { id } = await makeExport(app, artist);
  const path = { path: { export_id: id } };
  expect(await refusalOf(call(other.http, deleteExport, path))).toEqual(NOT_FOUND);
  expect(await files(app)).toHaveLength(1);
  await call(artist.http, deleteExport, path);
  expect([await files(app), (await call(artist.http, listExports)).count]).toEqual([[], 0]);
  expect(await refusalOf(call(artist.http, deleteExport, path))).toEqual(NOT_FOUND);
});

test('the files of a deleted account’s exports are deleted by the minutely tasks', async () => {
  const { app, artist } = await openArtistApp();
  const made = await makeExport(app, artist);
  await call(artist.http, deleteMe, { body: PROOF });
  expect(await download(app, made, tokenOf(made))).toMatchObject(NOT_FOUND);
  await app.runMinutelyTasks();
  expect(await files(app)).toEqual([]);
});

test('a file is deleted again each minute, until no run can add it any more', async () => {
  const { context, files } = await openTestContext({
    database: (await openTestApp({ database: 'own' })).database,
  });
  const id = crypto.randomUUID();
  await context.database.insertInto('export_files').values({ id }).execute();
  const addFile = () => files.set(`${id}.zip`, new Uint8Array([1]));
  addFile();
  await deleteExpiredExports(context, Date.now());
  expect(files.size).toBe(0);
  addFile();
  await deleteExpiredExports(context, Date.now() + 3 * HOUR_MS);
  expect(files.size).toBe(0);
  addFile();
  await deleteExpiredExports(context, Date.now() + 3 * HOUR_MS);
  expect(files.size).toBe(1);
});

test('an export that did not finish leaves the list after a week', async () => {
  const { database, runMinutelyTasks } = await openTestApp({ database: 'own' });
  const artist = await addArtist(database);
  await database.insertInto('exports').values({ artist_id: artist.id, state: 'failed' }).execute();
  const count = async () => (await database.selectFrom('exports').select('id').execute()).length;
  await runMinutelyTasks(Date.now() + 6 * DAY_MS);
  expect(await count()).toBe(1);
  await runMinutelyTasks(Date.now() + 8 * DAY_MS);
  expect(await count()).toBe(0);
});

test('the artist reads in a mail and in the list of events that an export was made; the mail has no download link', async () => {
  const { app, artist } = await openArtistApp();
  const made = await makeExport(app, artist);
  const [mail] = await app.mailsAbout('your export is ready');
  expect(mail?.to).toMatchObject([{ address: artist.self.email }]);
  expect(mail?.text).toContain('/studio/profile#data');
  expect(`${mail?.text}${mail?.html}`).not.toContain(made.id);
  const events = await call(artist.http, listSecurityEvents);
  expect(events.data[0]?.kind).toBe('export_started');
});

test.each<[string, (app: TestApp, artist: TestArtist) => Promise<ApiResponse>]>([
  [
    'a new password',
    (app, { token }) => {
      const json = { current_password: PASSWORD, new_password: 'battery staple' };
      return app.call('PATCH /users/me/password', { token, json });
    },
  ],
  [
    'ending the other sessions',
    (app, { token }) => app.call('POST /users/me/sessions/end-others', { token, json: PROOF }),
  ],
  [
    'a deactivation',
    async (app, { self }) => {
      const token = await app.superuserToken();
      return app.call(`PATCH /users/${self.id}`, { token, json: { is_active: false, ...PROOF } });
    },
  ],
])('%s ends the links of exports, which a thief may have', async (_, protect) => {
  const { app, artist } = await openArtistApp();
  const made = await makeExport(app, artist);
  await expectOk(protect(app, artist));
  expect((await download(app, made, tokenOf(made))).status).toBe(404);
  await app.runMinutelyTasks();
  expect(await files(app)).toEqual([]);
});
