import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OutgoingMail } from '#contract/mail.ts';
import { $failedOwnMails, $unreachedClients, formatClientNotice } from '#stores/studio/mails.ts';
import { createSentMail } from '#support/browser_mail_log.ts';
import { problemResponse } from '#support/fake_api.ts';

const HOUR_MS = 60 * 60_000;
const SOON = new Date(Date.now() + 24 * HOUR_MS).toISOString();
const PAST = new Date(Date.now() - 24 * HOUR_MS).toISOString();

/** What the API has: the mails, the newest first, and when appointments end. */
let mails: readonly OutgoingMail[];
let ends: Record<string, string | null>;

beforeEach(() => {
  document.documentElement.dataset['api'] = 'http://api.test';
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.endsWith('/mails/')) {
      const data = mails.filter((mail) =>
        [...searchParams].every(
          ([name, value]) => name === 'limit' || Reflect.get(mail, name) === value,
        ),
      );
      return Response.json({ data, count: data.length });
    }
    const id = pathname.split('/').at(-1) ?? '';
    return id in ends ? Response.json({ id, end: ends[id] }) : problemResponse(404, 'Not found');
  });
});

afterEach(() => vi.unstubAllGlobals());

/** The appointments whose clients may not know of them. */
async function unreached(): Promise<readonly string[]> {
  const stop = $unreachedClients.listen(() => {});
  $unreachedClients.revalidate();
  await vi.waitFor(() => expect($unreachedClients.get()).toMatchObject({ loading: false }));
  const { data = [] } = $unreachedClients.get();
  stop();
  return data.map(({ appointment }) => appointment.id);
}

test('clients are unreached whose last mail failed, while what it was about lies ahead', async () => {
  ends = { ahead: SOON, over: PAST, asked: null, reached: SOON, tried: SOON, artist: SOON };
  mails = [
    createSentMail('reached', { kind: 'reminder' }),
    createSentMail('tried', { status: 'queued' }),
    createSentMail('ahead', { status: 'dropped', kind: 'reminder' }),
    createSentMail('ahead', { status: 'failed' }),
    createSentMail('over', { status: 'failed' }),
    createSentMail('asked', { status: 'failed', kind: 'declined' }),
    createSentMail('reached', { status: 'failed' }),
    createSentMail('tried', { status: 'failed' }),
    createSentMail('artist', { status: 'failed', kind: 'new_booking', recipient: 'artist' }),
    createSentMail('deleted', { status: 'failed' }),
  ];
  expect(await unreached()).toEqual(['ahead', 'asked']);
});

test('an artist whose own last mail failed is told, until one arrives', async () => {
  const own = { recipient: 'artist', kind: 'new_booking' } as const;
  const addresses = async () => {
    $failedOwnMails.revalidate();
    await vi.waitFor(() => expect($failedOwnMails.get()).toMatchObject({ loading: false }));
    return $failedOwnMails.get().data?.map(({ address }) => address);
  };
  const stop = $failedOwnMails.listen(() => {});
  mails = [
    createSentMail('client', { status: 'sent' }),
    createSentMail('waiting', { ...own, status: 'queued' }),
    createSentMail('mine', { ...own, status: 'failed', address: 'ana@example.com' }),
  ];
  expect(await addresses()).toEqual(['ana@example.com']);
  mails = [createSentMail('later', { ...own, status: 'sent' }), ...mails];
  expect(await addresses()).toEqual([]);
  stop();
});

test('who has no email address is to be told by the artist', () => {
  const rosa = { first_name: 'Rosa', email: null };
  expect(formatClientNotice(rosa)).toContain('Let Rosa know');
  expect(formatClientNotice({ ...rosa, email: 'rosa@example.com' })).toBe('Rosa is told by email.');
});
