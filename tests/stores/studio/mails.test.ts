import { beforeEach, expect, test } from 'vitest';
import type { OutgoingMail } from '#contract/mail.ts';
import { startSession } from '#stores/session.ts';
import { $mailTrouble, $unreachedClients } from '#stores/studio/mails.ts';
import { createSentMail } from '#support/browser_mail_log.ts';
import { problemResponse, stubApi } from '#support/fake_api.ts';
import { reloadStore } from '#support/query_stores.ts';

const HOUR_MS = 60 * 60_000;
const SOON = new Date(Date.now() + 24 * HOUR_MS).toISOString();
const PAST = new Date(Date.now() - 24 * HOUR_MS).toISOString();

/** Data of the fake API: mails, newest first, and the ends of appointments by id. */
let mails: readonly OutgoingMail[];
let ends: Record<string, string | null>;

beforeEach(() => {
  stubApi(({ path, query }) => {
    if (path === 'mails/') {
      const data = mails.filter((mail) =>
        [...query].every(([name, value]) => name === 'limit' || Reflect.get(mail, name) === value),
      );
      return { data, count: data.length, sends_mail: true };
    }
    const id = path.split('/').at(-1) ?? '';
    return id in ends ? { id, end: ends[id] } : problemResponse(404, 'Not found');
  });
  startSession(crypto.randomUUID());
});

const fetchTrouble = async () => (await reloadStore($mailTrouble)).data;

test('a client is unreached when their last mail failed and the appointment is not over', async () => {
  ends = { ahead: SOON, over: PAST, requested: null, reached: SOON, tried: SOON, artist: SOON };
  mails = [
    createSentMail('reached', { kind: 'reminder' }),
    createSentMail('tried', { status: 'queued' }),
    createSentMail('ahead', { status: 'dropped', kind: 'reminder' }),
    createSentMail('ahead', { status: 'failed' }),
    createSentMail('over', { status: 'failed' }),
    createSentMail('requested', { status: 'failed', kind: 'declined' }),
    createSentMail('reached', { status: 'failed' }),
    createSentMail('tried', { status: 'failed' }),
    createSentMail('artist', { status: 'failed', kind: 'new_booking', recipient: 'artist' }),
    createSentMail('deleted', { status: 'failed' }),
  ];
  const { data = [] } = await reloadStore($unreachedClients);
  expect(data.map(({ appointment }) => appointment.id)).toEqual(['ahead', 'requested']);
});

test('a failed mail to the artist is reported until a later one is sent', async () => {
  const own = { recipient: 'artist', kind: 'new_booking' } as const;
  const failedAddress = async () => (await fetchTrouble())?.failedOwnMail?.address ?? null;
  mails = [
    createSentMail('client', { status: 'sent' }),
    createSentMail('waiting', { ...own, status: 'queued' }),
    createSentMail('mine', { ...own, status: 'failed', address: 'ana@example.com' }),
  ];
  expect(await failedAddress()).toBe('ana@example.com');
  mails = [createSentMail('later', { ...own, status: 'sent' }), ...mails];
  expect(await failedAddress()).toBeNull();
});

test('mail is late when its last attempt failed and it is older than ten minutes', async () => {
  const failure = 'The mail server did not answer.';
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  mails = [
    createSentMail('new', { status: 'queued', failure, created_at: ago(9) }),
    createSentMail('waits', { status: 'queued', created_at: ago(60) }),
    createSentMail('given-up', { status: 'failed', failure, created_at: ago(90) }),
  ];
  expect(await fetchTrouble()).toMatchObject({ late: null });
  mails = [
    createSentMail('late', { status: 'queued', failure, created_at: ago(11) }),
    createSentMail('later', { status: 'queued', failure, created_at: ago(30) }),
    ...mails,
  ];
  expect(await fetchTrouble()).toMatchObject({
    late: { count: 2, since: mails[1]?.created_at, areAll: true },
  });
});
