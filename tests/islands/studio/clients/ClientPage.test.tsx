import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { ClientRecord } from '#contract/client.ts';
import type { DataRequest } from '#contract/data_request.ts';
import { HOUR_MS } from '#domain/time.ts';
import { LastMerge } from '#islands/studio/clients/ClientDataSection.tsx';
import { ClientRow } from '#islands/studio/clients/ClientList.tsx';
import { ClientPage } from '#islands/studio/clients/ClientPage.tsx';
import { startSession } from '#stores/session.ts';
import { $clientId } from '#stores/studio/clients.ts';
import { mutateCache } from '#stores/studio/queries.ts';
import { problemResponse, stubApi, zoneWithOffsets } from '#support/fake_api.ts';
import {
  ANA_SELF,
  createAppointment,
  createClient,
  toastTexts,
  toListed,
} from '#support/fake_schedule_api.ts';

const ZONE = zoneWithOffsets('America/New_York');
/** A client with a mistyped email address. */
const UNREACHED = createClient({
  email: 'roza@example.com',
  email_failed_at: '2026-12-01T15:00:00Z',
});

afterEach(() => {
  cleanup();
  $clientId.set(null);
  for (const resource of ['clients', 'me'] as const) mutateCache(resource, undefined);
});

function openPage(id = UNREACHED.id): void {
  startSession('one');
  $clientId.set(id);
  render(<ClientPage zone={ZONE} />);
}

test('the list flags only clients whose mail is not delivered', () => {
  const row = (client: ClientRecord) => <ClientRow client={client} zone={ZONE} />;
  const { rerender } = render(row(UNREACHED));
  screen.getByText('Mail does not arrive');
  rerender(row({ ...UNREACHED, email_failed_at: null }));
  expect(screen.queryByText('Mail does not arrive')).toBeNull();
});

test('a client whose mail is not delivered is flagged until their address is changed', async () => {
  stubApi(({ method, path, body }) => {
    if (method === 'PATCH') return { ...UNREACHED, ...body, email_failed_at: null };
    return path === `clients/${UNREACHED.id}` ? UNREACHED : toListed();
  });
  openPage();
  await screen.findByText(/Mail to roza@example\.com has not arrived since/);
  const link = screen.getByRole('link', { name: 'change it in their details' });
  expect(document.querySelector(link.getAttribute('href') ?? '')?.textContent).toContain('Details');
  const email = screen.getByLabelText('Email');
  await userEvent.clear(email);
  await userEvent.type(email, 'rosa@example.com');
  await userEvent.click(screen.getByRole('button', { name: 'Save details' }));
  await waitFor(() => expect(screen.queryByText(/has not arrived since/)).toBeNull());
});

test('a client’s data is saved as a page with their name, which does not mark their request as done', async () => {
  const asked_at = '2026-11-30T12:00:00Z';
  const data_requests: DataRequest[] = [{ id: 'one', kind: 'copy', asked_at, done_at: null }];
  const client = { ...UNREACHED, data_requests };
  const copy = { client, appointments: [], history: [], messages: [], mails: [] };
  const calls = stubApi(({ path }) => {
    if (path === 'users/me') return ANA_SELF;
    if (path === `clients/${UNREACHED.id}/export`) return copy;
    return path === `clients/${UNREACHED.id}` ? client : toListed();
  });
  const saved: { name: string; blob: Blob }[] = [];
  let last = new Blob();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) last = blob;
    return 'blob:one';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push({ name: this.download, blob: last });
  });
  openPage();
  await userEvent.click(await screen.findByRole('button', { name: 'Download their data' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]?.name).toMatch(/^rosa.*\.html$/);
  expect(await saved[0]?.blob.text()).toContain('All that Ana Reyes keeps about Rosa Quint');
  expect(calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  screen.getByRole('button', { name: 'Done: A copy of their data' });
});

test('data that the page cannot show is not saved, and the message says so', async () => {
  const odd = { ...createAppointment({}), status: 'dreamt' };
  const copy = { client: UNREACHED, appointments: [odd], history: [], messages: [], mails: [] };
  stubApi(({ path }) => {
    if (path === 'users/me') return ANA_SELF;
    if (path === `clients/${UNREACHED.id}/export`) return copy;
    return path === `clients/${UNREACHED.id}` ? UNREACHED : toListed();
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  openPage();
  await userEvent.click(await screen.findByRole('button', { name: 'Download their data' }));
  await waitFor(() =>
    expect(toastTexts()).toEqual(['Their data was not downloaded. Please try again.']),
  );
  expect(click).not.toHaveBeenCalled();
});

test('what the client asked for about their data is a notice, until the artist marks it as done', async () => {
  const asked_at = '2026-11-30T12:00:00Z';
  let requests: DataRequest[] = [
    { id: 'one', kind: 'copy', asked_at, done_at: null },
    { id: 'two', kind: 'erasure', asked_at, done_at: null },
  ];
  const calls = stubApi(({ method, path }) => {
    if (path === 'users/me') return ANA_SELF;
    if (method === 'POST') {
      requests = requests.map((request) =>
        path.includes(request.id) ? { ...request, done_at: '2026-12-02T12:00:00Z' } : request,
      );
      return new Response(null, { status: 204 });
    }
    if (path !== `clients/${UNREACHED.id}`) return toListed();
    return { ...UNREACHED, data_requests: requests };
  });
  openPage();
  const notice = within(await screen.findByRole('region', { name: 'Requests about their data' }));
  notice.getByText('A copy of their data, asked on Mon, Nov 30, 2026');
  notice.getByText(
    /write to roza@example\.com\. Then download their data, with your notes, send it to them/,
  );
  notice.getByText(/Cancel an appointment ahead, erase their data, or tell them/);
  const toErase = notice.getByRole('link', { name: 'To “Erase this client”' });
  expect(document.querySelector(toErase.getAttribute('href') ?? '')?.textContent).toContain(
    'Erase',
  );
  // The button is at the request, and nowhere else.
  screen.getByRole('button', { name: 'Download their data' });

  const finish = async (name: string) => {
    await userEvent.click(notice.getByRole('button', { name }));
    await userEvent.click(screen.getByRole('button', { name: 'Mark as done' }));
  };
  await finish('Done: A copy of their data');
  await notice.findByText(
    'A copy of their data: asked on Mon, Nov 30, 2026, done on Wed, Dec 2, 2026',
  );
  expect(notice.queryByRole('button', { name: 'Done: A copy of their data' })).toBeNull();
  await finish('Done: The erasure of their data');
  await notice.findByText(/^The erasure of their data: asked on .*, done on /);
  expect(document.activeElement?.textContent).toBe('Requests about their data');
  const posts = calls.filter(({ method }) => method === 'POST').map(({ path }) => path);
  expect(posts).toEqual([
    `clients/${UNREACHED.id}/data-requests/one/done`,
    `clients/${UNREACHED.id}/data-requests/two/done`,
  ]);
});

test('erasing asks first, and then shows the client without personal data', async () => {
  const user = userEvent.setup();
  const calls: string[] = [];
  stubApi(({ method, path }) => {
    calls.push(`${method} ${path}`);
    const isErased = calls.includes(`POST clients/${UNREACHED.id}/erase`);
    if (path !== `clients/${UNREACHED.id}`) return toListed();
    const gone = { first_name: null, last_name: null, email: null, phone_number: null };
    const ahead = { ...UNREACHED, next_appointment: '2026-12-03T15:00:00Z' };
    return isErased ? { ...UNREACHED, ...gone, erased_at: '2026-12-02T15:00:00Z' } : ahead;
  });
  openPage();
  await user.click(await screen.findByRole('button', { name: 'Erase this client…' }));
  screen.getByText(/^They have an appointment on Thu, Dec 3, 2026\. Cancel it first, under/);
  await user.click(screen.getByRole('button', { name: 'Keep it' }));
  await user.click(screen.getByRole('button', { name: 'Erase this client…' }));
  expect(calls).not.toContain(`POST clients/${UNREACHED.id}/erase`);
  await user.click(screen.getByRole('button', { name: 'Erase for good' }));
  await screen.findByRole('heading', { name: 'Erased client' });
  expect(screen.queryByLabelText('Email')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Erase this client…' })).toBeNull();
});

/** A client into whom another one was merged, which can be undone until this time. */
function createMergedClient(undoUntil: number): ClientRecord {
  return createClient({
    other_emails: ['rosa.work@example.com'],
    last_merge: {
      id: 'merge',
      client: { first_name: 'Rosa', last_name: 'Quint', email: 'rosa.work@example.com' },
      undo_until: new Date(undoUntil).toISOString(),
    },
  });
}

test('the last merge is named and can be undone on the page', async () => {
  let client = createMergedClient(Date.now() + HOUR_MS);
  const calls = stubApi(({ method, path }) => {
    if (method === 'POST') {
      client = createClient();
      return client;
    }
    return path === `clients/${client.id}` ? client : toListed();
  });
  openPage(client.id);
  const notice = within(await screen.findByRole('region', { name: 'Last merge' }));
  notice.getByText(/^Rosa Quint, rosa\.work@example\.com, was merged into this client\./);
  screen.getByText('Who books with rosa.work@example.com is this client, too.');
  await userEvent.click(notice.getByRole('button', { name: 'Undo the merge' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Last merge' })).toBeNull());
  expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    'clients/merges/merge/undo',
  ]);
  expect(screen.queryByText(/is this client, too/)).toBeNull();
});

test('a merge that can no longer be undone is not offered', () => {
  const client = createMergedClient(Date.now() - HOUR_MS);
  render(<LastMerge client={client} zone={ZONE} />);
  expect(screen.queryByRole('region', { name: 'Last merge' })).toBeNull();
});

test('notes that another device changed stand beside the typed ones until the artist decides', async () => {
  let stored = createClient({ notes: 'Latex' });
  const calls = stubApi(({ method, path, body }) => {
    if (method !== 'PATCH') return path === `clients/${stored.id}` ? stored : toListed();
    if (body?.['version'] !== stored.version)
      return problemResponse(409, 'These notes were changed.');
    stored = { ...stored, ...body, version: stored.version + 1 };
    return stored;
  });
  openPage(stored.id);
  const field = await screen.findByLabelText('Your notes');
  stored = { ...stored, notes: 'Latex, faints', version: 2 };
  await userEvent.type(field, ', likes tea');
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save notes' }));
  await save();
  await screen.findByText('Latex, faints');
  screen.getByText('These notes were changed. What you typed is still here.');
  expect(field).toHaveProperty('value', 'Latex, likes tea');
  await userEvent.click(screen.getByRole('button', { name: 'Keep both' }));
  expect(screen.queryByText(/^Saved on another device/)).toBeNull();
  await save();
  await waitFor(() => expect(stored.notes).toBe('Latex, faints\n\nLatex, likes tea'));
  expect(calls.filter(({ method }) => method === 'PATCH')).toHaveLength(2);
});

test('the other client of a merge is looked for by the first name, and is never the same one', async () => {
  const twin = createClient({ id: 'twin', first_name: 'R.', last_name: 'Quint' });
  const calls = stubApi(({ method, path, query }) => {
    if (method === 'POST') return { id: 'merge', client: twin, undo_until: '2026-12-01T13:00:00Z' };
    if (path === 'clients/') return query.has('search') ? toListed(UNREACHED, twin) : toListed();
    return path.startsWith('clients/') && !path.includes('appointments') ? UNREACHED : toListed();
  });
  openPage();
  await userEvent.click(await screen.findByRole('button', { name: 'Merge…' }));
  expect(screen.getByLabelText<HTMLInputElement>('Search clients').value).toBe('Rosa');
  const others = within(await screen.findByRole('list', { name: 'Clients' }));
  expect(others.getAllByRole('listitem')).toHaveLength(1);
  await userEvent.click(others.getByRole('button', { name: /^Merge R\. Quint into / }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ client_id: 'twin' });
});
