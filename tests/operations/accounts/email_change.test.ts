import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import { DAY_MS } from '#domain/time/time.ts';
import { lockArtist, revokeTokens, updateArtist } from '#server/database/artists.ts';
import { countLockWaiters } from '#support/app_rows.ts';
import { linkToken } from '#support/mail_links.ts';
import {
  createSignup,
  PASSWORD,
  PASSWORD_HASH,
  PROOF,
  type TestArtist,
} from '#support/new_artist.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

const EMAIL_TAKEN = { status: 409, body: { detail: 'An account with this email already exists' } };
const NOT_VALID = { status: 400 };

async function setUp(setup = {}) {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist(setup);
  const newEmail = `new-${randomUUID()}@example.com`;
  return { app, artist, newEmail, ...actionsOf(app, artist) };
}

function actionsOf(app: TestApp, { token, self }: TestArtist) {
  const loadMe = async () => (await app.call<CurrentArtist>('GET /users/me', { token })).body;
  const change = (json: object) => app.call<CurrentArtist>('PATCH /users/me', { token, json });
  const ask = (email: string) => change({ email, current_password: PASSWORD });
  const { mailsTo } = app;
  /** Uses the link of the newest mail to an email. */
  const prove = async (email: string) =>
    app.call('POST /users/prove-email', {
      json: { token: linkToken((await mailsTo(email)).at(-1), 'prove-email') },
    });
  const undo = (token_: string) =>
    app.call<{ reset_token: string }>('POST /users/undo-email-change', { json: { token: token_ } });
  const findUndo = async (email = self.email) =>
    linkToken((await mailsTo(email)).at(-1), 'undo-email-change');
  return { loadMe, change, ask, mailsTo, prove, undo, findUndo };
}

async function storedEmail({ database }: TestApp, { self }: TestArtist) {
  const query = database.selectFrom('artists').select('email').where('id', '=', self.id);
  return (await query.executeTakeFirstOrThrow()).email;
}

/** As if everything had happened so long ago. */
async function ageChanges({ database }: TestApp, days: number): Promise<void> {
  const at = new Date(Date.now() - days * DAY_MS);
  await database.updateTable('email_changes').set({ requested_at: at }).execute();
  await database
    .updateTable('email_changes')
    .set({ applied_at: at })
    .where('applied_at', 'is not', null)
    .execute();
}

test('a new email takes the current password: 422 without, 400 when it is wrong', async () => {
  const { change, loadMe, newEmail, artist } = await setUp();
  expect(await change({ email: newEmail })).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'current_password'], msg: 'Password is required' }] },
  });
  const wrong = await change({ email: newEmail, current_password: 'not the one' });
  expect(wrong).toMatchObject({ status: 400 });
  // The same email is not a change.
  expect((await change({ email: artist.self.email })).status).toBe(200);
  expect(await loadMe()).toMatchObject({ email: artist.self.email, pending_email: null });
});

test('the account keeps the old email until the link to the new one is used', async () => {
  const { app, ask, loadMe, prove, newEmail, artist } = await setUp();
  const { email } = artist.self;
  expect((await ask(newEmail)).body).toMatchObject({ email, pending_email: newEmail });
  expect(await app.call(`GET /users/artist/${artist.username}`)).toMatchObject({ body: { email } });
  expect((await prove(newEmail)).status).toBe(200);
  const changed = { email: newEmail, pending_email: null, email_proven: true };
  expect(await loadMe()).toMatchObject(changed);
  expect((await prove(newEmail)).status).toBe(200);
  expect(await app.call(`GET /users/artist/${artist.username}`)).toMatchObject({
    body: { email: newEmail },
  });
});

test('the new email gets no words that somebody typed; the old one is informed before and after', async () => {
  const { ask, prove, mailsTo, newEmail, artist } = await setUp({ full_name: 'Eve Sells Pills' });
  await ask(newEmail);
  const [proof] = await mailsTo(newEmail);
  expect(proof?.subject).toBe('Linework: confirm your email');
  expect(proof?.text).not.toContain('Eve');
  await prove(newEmail);
  const reported = await mailsTo(artist.self.email);
  expect(reported.map(({ subject }) => subject)).toEqual([
    'Linework: your email is about to change',
    'Linework: your email was changed',
  ]);
  for (const mail of reported) {
    expect(mail.text).toContain('n•••@example.com');
    expect(mail.text).not.toContain(newEmail);
    expect(mail.text).toContain('within seven days');
  }
});

test('asking for another new email replaces the one before, and the old one ends the wait', async () => {
  const { ask, change, loadMe, prove, mailsTo, newEmail, artist } = await setUp();
  await ask(newEmail);
  await mailsTo(newEmail);
  const other = `other-${newEmail}`;
  expect((await ask(other)).body.pending_email).toBe(other);
  expect(await prove(newEmail)).toMatchObject(NOT_VALID);
  await mailsTo(other);
  expect((await change({ email: artist.self.email })).body.pending_email).toBeNull();
  expect(await prove(other)).toMatchObject(NOT_VALID);
  expect((await loadMe()).email).toBe(artist.self.email);
});

test('an email of another account is refused when it is asked for, and when it holds', async () => {
  const { app, ask, prove, loadMe, mailsTo, newEmail, artist } = await setUp();
  const other = await app.newArtist();
  expect(await ask(other.self.email.toUpperCase())).toMatchObject(EMAIL_TAKEN);
  await ask(newEmail);
  await mailsTo(newEmail);
  const theirs = actionsOf(app, other);
  await theirs.ask(newEmail);
  expect((await theirs.prove(newEmail)).status).toBe(200);
  const token = linkToken((await mailsTo(newEmail))[0], 'prove-email');
  const late = await app.call('POST /users/prove-email', { json: { token } });
  expect(late).toMatchObject(EMAIL_TAKEN);
  expect(await loadMe()).toMatchObject({ email: artist.self.email });
  expect((await prove(newEmail)).status).toBe(200);
});

test('the email that an undo takes from the account is informed: the thief may read the mail to the old one', async () => {
  const { ask, prove, undo, findUndo, mailsTo, newEmail, artist } = await setUp();
  await ask(newEmail);
  await prove(newEmail);
  await undo(await findUndo());
  const reported = (await mailsTo(newEmail)).at(-1);
  expect(reported?.subject).toBe('Linework: your email was changed back');
  expect(reported?.text).not.toContain(artist.self.email);
});

test('the old email stops a change that does not hold yet', async () => {
  const { app, ask, prove, undo, findUndo, mailsTo, newEmail, artist } = await setUp();
  await ask(newEmail);
  await mailsTo(newEmail);
  expect((await undo(await findUndo())).status).toBe(200);
  expect(await prove(newEmail)).toMatchObject(NOT_VALID);
  expect(await storedEmail(app, artist)).toBe(artist.self.email);
});

test('a link undoes once, for seven days, and a made-up one never', async () => {
  const { app, ask, prove, undo, findUndo, newEmail } = await setUp();
  await ask(newEmail);
  await prove(newEmail);
  const token = await findUndo();
  await ageChanges(app, 8);
  expect(await undo(token)).toMatchObject(NOT_VALID);
  await ageChanges(app, 6);
  for (const wrong of ['x', `${randomUUID()}.${token.split('.')[1]}`, `${token}x`])
    expect(await undo(wrong)).toMatchObject(NOT_VALID);
  expect((await undo(token)).status).toBe(200);
  expect(await undo(token)).toMatchObject(NOT_VALID);
});

test('undoing an earlier change undoes the later ones, whose links then do nothing', async () => {
  const { app, ask, prove, undo, findUndo, newEmail, artist } = await setUp();
  const { email } = artist.self;
  await ask(newEmail);
  await prove(newEmail);
  const first = await findUndo();
  const second = `second-${newEmail}`;
  await ask(second);
  await prove(second);
  const later = await findUndo(newEmail);
  expect((await undo(first)).status).toBe(200);
  expect(await undo(later)).toMatchObject(NOT_VALID);
  expect(await storedEmail(app, artist)).toBe(email);
});

test('nobody else can take the old email while the change can be undone', async () => {
  const { app, ask, prove, newEmail, artist } = await setUp();
  const { email } = artist.self;
  await ask(newEmail);
  await prove(newEmail);
  const signUp = () => {
    const username = `thief-${randomUUID().slice(0, 8)}`;
    const json = createSignup({ email: email.toUpperCase(), full_name: 'A Thief', username });
    return app.call('POST /users/signup', { json });
  };
  expect(await signUp()).toMatchObject(EMAIL_TAKEN);
  const other = await app.newArtist();
  const theirs = actionsOf(app, other);
  await theirs.ask(email);
  expect(await theirs.prove(email)).toMatchObject(EMAIL_TAKEN);
  await ageChanges(app, 8);
  expect((await signUp()).status).toBe(201);
});

test('an old email that was not proven gets no link: its mail may reach a stranger', async () => {
  const { ask, prove, mailsTo, newEmail, artist } = await setUp({ isEmailProven: false });
  await ask(newEmail);
  expect((await prove(newEmail)).status).toBe(200);
  expect(await mailsTo(artist.self.email)).toEqual([]);
});

test('an old email that was proven after the change was asked for is informed, and can undo it', async () => {
  const { app, ask, prove, undo, findUndo, mailsTo, newEmail, artist } = await setUp({
    isEmailProven: false,
  });
  await ask(newEmail);
  await mailsTo(newEmail);
  await updateArtist(app.database, artist.self.id, { email_proven_at: new Date() });
  expect((await prove(newEmail)).status).toBe(200);
  const reported = await mailsTo(artist.self.email);
  expect(reported.map(({ subject }) => subject)).toEqual(['Linework: your email was changed']);
  expect((await undo(await findUndo())).status).toBe(200);
});

test('a new password ends the change that waits: who knew the one before may have asked for it', async () => {
  const { app, ask, prove, mailsTo, newEmail, artist } = await setUp();
  await ask(newEmail);
  await mailsTo(newEmail);
  const json = { current_password: PASSWORD, new_password: 'battery staple' };
  const changed = await app.call<{ access_token: string }>('PATCH /users/me/password', {
    token: artist.token,
    json,
  });
  expect(await prove(newEmail)).toMatchObject(NOT_VALID);
  const me = await app.call('GET /users/me', { token: changed.body.access_token });
  expect(me.body).toMatchObject({ email: artist.self.email, pending_email: null });
});

test('who signed up with the email of somebody else does not get the account once its owner has it', async () => {
  const { app, ask, prove, mailsTo, newEmail, artist } = await setUp({ isEmailProven: false });
  const { email } = artist.self;
  await ask(newEmail);
  await mailsTo(newEmail);
  await app.call(`POST /password-recovery/${email}`);
  const token = linkToken((await mailsTo(email)).at(-1), 'reset-password');
  const json = { token, new_password: 'one of the owner' };
  expect((await app.call('POST /reset-password', { json })).status).toBe(200);
  expect(await prove(newEmail)).toMatchObject(NOT_VALID);
});

test('a new email that is asked for while the change before is undone is refused', async () => {
  const { app, ask, artist, newEmail } = await setUp();
  const { id } = artist.self;
  const asked = await app.database.transaction().execute(async (transaction) => {
    // As an undo does.
    await lockArtist(transaction, id);
    const status = ask(newEmail).then((answer) => answer.status);
    const waits = vi
      .waitFor(async () => expect(await countLockWaiters(app)).toBe(1), { timeout: 5000 })
      .then(() => 'it waits');
    expect(await Promise.race([status, waits])).toBe('it waits');
    await revokeTokens(transaction, id, PASSWORD_HASH);
    return { status };
  });
  expect(await asked.status).toBe(401);
});

test('the link to the new email can be mailed again', async () => {
  const { app, ask, mailsTo, newEmail, artist } = await setUp();
  await ask(newEmail);
  await app.call('POST /users/me/prove-email', { token: artist.token });
  expect(await mailsTo(newEmail)).toHaveLength(2);
});

test('a superuser gives an account another email at once; the old one is informed, without a link', async () => {
  const { app, loadMe, mailsTo, newEmail, artist } = await setUp();
  const token = await app.superuserToken();
  const path = `PATCH /users/${artist.self.id}`;
  expect((await app.call(path, { token, json: { email: newEmail, ...PROOF } })).status).toBe(200);
  expect(await loadMe()).toMatchObject({ email: newEmail, email_proven: true });
  const [reported] = await mailsTo(artist.self.email);
  expect(reported?.subject).toBe('Linework: your email was changed');
  expect(linkToken(reported, 'undo-email-change')).toBe('');
});

test('a superuser who changes an email vouches for it: no earlier link takes the account back', async () => {
  const { app, ask, prove, undo, findUndo, newEmail, artist } = await setUp();
  await ask(newEmail);
  await prove(newEmail);
  await ask(`second-${newEmail}`);
  await prove(`second-${newEmail}`);
  const links = [await findUndo(), await findUndo(newEmail)];
  const token = await app.superuserToken();
  const path = `PATCH /users/${artist.self.id}`;
  expect(
    (await app.call(path, { token, json: { email: artist.self.email, ...PROOF } })).status,
  ).toBe(200);
  for (const link of links) expect(await undo(link)).toMatchObject(NOT_VALID);
});

test('a superuser who changes something else leaves the links', async () => {
  const { app, ask, prove, undo, findUndo, newEmail, artist } = await setUp();
  await ask(newEmail);
  await prove(newEmail);
  const token = await app.superuserToken();
  const json = { email: newEmail, full_name: 'Another Name', ...PROOF };
  expect((await app.call(`PATCH /users/${artist.self.id}`, { token, json })).status).toBe(200);
  expect((await undo(await findUndo())).status).toBe(200);
});

test('a change that holds at the same moment as its undo leaves the old email', async () => {
  const { app, ask, prove, undo, findUndo, mailsTo, newEmail, artist } = await setUp();
  await ask(newEmail);
  await mailsTo(newEmail);
  const token = await findUndo();
  await Promise.all([prove(newEmail), undo(token)]);
  expect(await storedEmail(app, artist)).toBe(artist.self.email);
});
