import type { Email } from 'postal-mime';
import { expect, test } from 'vitest';
import type { MailStopState } from '#contract/mail.ts';
import { PROOF, type TestArtist } from '#support/new_artist.ts';
import { FILLED_FORM, openTestApp, type TestApp } from '#support/test_app.ts';

const ROSA = 'rosa@example.com';

async function setUp() {
  const app = await openTestApp({ database: 'own' });
  const ana = await app.newArtist({ scheduling_type: 'managed', full_name: 'Ana' });
  const bo = await app.newArtist({ scheduling_type: 'managed', full_name: 'Bo' });
  await sendRequest(app, ana);
  const [mail] = await mailsToRosa(app);
  return { app, ana, bo, token: tokenOf(mail) };
}

function tokenOf(mail: Email | undefined): string {
  return /\/stop-mail\?token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
}

async function sendRequest(app: TestApp, { username }: TestArtist, email = ROSA) {
  const json = { ...FILLED_FORM, email };
  await app.call(`POST /appointments/request/design?username=${username}`, { json });
}

async function mailsToRosa(app: TestApp): Promise<Email[]> {
  return (await app.mails()).filter((mail) => mail.to?.[0]?.address?.startsWith('rosa'));
}

/** The names of the artists whose receipts Rosa got, in order. */
async function senders(app: TestApp): Promise<(string | undefined)[]> {
  return (await mailsToRosa(app)).map(({ subject }) => /request to (\w+)/.exec(subject ?? '')?.[1]);
}

function stop(app: TestApp, token: string, stopped: string) {
  return app.call<MailStopState>('PATCH /mail/stop', { json: { token, stopped } });
}

/** As the button of a mail program does. */
function clickOnce(app: TestApp, token: string) {
  return app.call(`POST /mail/stop?token=${token}`, { form: { 'List-Unsubscribe': 'One-Click' } });
}

test('one click in a mail program stops the mail of one artist, to every spelling of the address', async () => {
  const { app, ana, bo, token } = await setUp();
  const [mail] = await mailsToRosa(app);
  const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value;
  expect(header('list-unsubscribe')).toBe(`<http://linework.test/api/v1/mail/stop?token=${token}>`);
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect((await clickOnce(app, token)).status).toBe(204);
  await sendRequest(app, ana, 'rosa+ink@example.com');
  // Mail that the person asks for is stopped too.
  await app.call(`POST /users/artist/${ana.username}/links`, { json: { email: ROSA } });
  await sendRequest(app, bo);
  expect(await senders(app)).toEqual(['Ana', 'Bo']);
});

test('the artist sees that the person stopped their mail', async () => {
  const { app, ana, token } = await setUp();
  await stop(app, token, 'artist');
  await sendRequest(app, ana);
  await app.runJobs();
  const { body } = await app.call<{ data: object[] }>('GET /mails?status=dropped', {
    token: ana.token,
  });
  expect(body.data).toMatchObject([
    { status: 'dropped', failure: 'This person stopped mail to this address.' },
  ]);
});

test('mail from everyone can be stopped, and let through again', async () => {
  const { app, ana, bo, token } = await setUp();
  expect((await stop(app, token, 'everyone')).body).toEqual({
    artist_name: 'Ana',
    stopped: 'everyone',
  });
  await sendRequest(app, ana);
  await sendRequest(app, bo);
  expect(await senders(app)).toEqual(['Ana']);
  await stop(app, token, 'nothing');
  await sendRequest(app, bo);
  expect(await senders(app)).toEqual(['Ana', 'Bo']);
});

test('stopping twice is harmless, and letting one artist’s mail through leaves another’s stopped', async () => {
  const { app, ana, bo, token } = await setUp();
  await sendRequest(app, bo);
  const tokens = [token, tokenOf((await mailsToRosa(app)).at(-1))];
  for (const one of [...tokens, ...tokens]) expect((await clickOnce(app, one)).status).toBe(204);
  await stop(app, tokens[1] ?? '', 'nothing');
  await sendRequest(app, ana);
  await sendRequest(app, bo);
  expect(await senders(app)).toEqual(['Ana', 'Bo', 'Bo']);
});

test('reading the state of a link changes nothing', async () => {
  const { app, ana, token } = await setUp();
  const response = await app.call(`GET /mail/stop?token=${token}`);
  expect(response.body).toEqual({ artist_name: 'Ana', stopped: 'nothing' });
  await sendRequest(app, ana);
  expect(await senders(app)).toEqual(['Ana', 'Ana']);
});

test('a token that we did not sign stops nothing', async () => {
  const { app, ana, bo, token } = await setUp();
  const forged = token.replace(ana.self.id, bo.self.id);
  for (const wrong of ['x', forged, `${token}x`, token.slice(0, -1)]) {
    expect((await stop(app, wrong, 'everyone')).status).toBe(400);
    expect((await app.call(`POST /mail/stop?token=${wrong}`)).status).toBe(400);
  }
  await sendRequest(app, ana);
  expect(await senders(app)).toEqual(['Ana', 'Ana']);
});

test('stopped mail does not stop the mail about one’s own account', async () => {
  const { app, token } = await setUp();
  await stop(app, token, 'everyone');
  const artist = await app.newArtist({ username: 'rosa-quint' });
  await app.call(`POST /password-recovery/${artist.self.email}`);
  expect((await mailsToRosa(app)).map(({ subject }) => subject)).toContain(
    'Linework: choose a new password',
  );
});

test('the wish outlives a deleted account', async () => {
  const { app, ana, token } = await setUp();
  await stop(app, token, 'artist');
  await app.call(`DELETE /users/${ana.self.id}`, {
    token: await app.superuserToken(),
    json: PROOF,
  });
  expect(await mailsToRosa(app)).toHaveLength(1);
  expect((await app.call(`GET /mail/stop?token=${token}`)).body).toEqual({
    artist_name: null,
    stopped: 'artist',
  });
});
