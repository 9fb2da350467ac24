import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { ClientRecord } from '#contract/client.ts';
import type { DataRequest } from '#contract/data_request.ts';
import { LastMerge } from '#islands/studio/clients/ClientDataSection.tsx';
import { ClientRow } from '#islands/studio/clients/ClientList.tsx';
import { ClientPage } from '#islands/studio/clients/ClientPage.tsx';
import { $clientId } from '#stores/studio/clients.ts';
import { problemResponse, zoneWithOffsets } from '#support/fake_api.ts';
import {
  createAppointment,
  createClient,
  toastTexts,
  toListed,
} from '#support/fake_schedule_api.ts';
import {
  input,
  listWrites,
  openStudioPage,
  press,
  resetStudioPage,
  type,
} from '#support/fake_studio_api.ts';

const ZONE = zoneWithOffsets('America/New_York');
/** A client with a mistyped email address. */
const UNREACHED = createClient({
  email: 'roza@example.com',
  email_failed_at: '2026-12-01T15:00:00Z',
});

const CLIENT = `clients/${UNREACHED.id}`;

afterEach(async () => {
  $clientId.set(null);
  await resetStudioPage();
});

/** Opens the page of a client, with the API's answers to other calls than the one for this client. */
function openPage(
  client: ClientRecord | (() => ClientRecord),
  answers: Parameters<typeof openStudioPage>[1] = {},
) {
  const calls = openStudioPage('/studio/clients', { [`GET ${CLIENT}`]: client, ...answers });
  $clientId.set(UNREACHED.id);
  render(<ClientPage zone={ZONE} />);
  return calls;
}

test('the list flags only clients whose mail is not delivered', () => {
  const row = (client: ClientRecord) => <ClientRow client={client} zone={ZONE} />;
  const { rerender } = render(row(UNREACHED));
  screen.getByText('Mail does not arrive');
  rerender(row({ ...UNREACHED, email_failed_at: null }));
  expect(screen.queryByText('Mail does not arrive')).toBeNull();
});

test('a client whose mail is not delivered is flagged until their address is changed', async () => {
  openPage(UNREACHED, {
    [`PATCH ${CLIENT}`]: ({ body }) => ({ ...UNREACHED, ...body, email_failed_at: null }),
  });
  await screen.findByText(/Mail to roza@example\.com has not arrived since/);
  const link = screen.getByRole('link', { name: 'change it in their details' });
  expect(document.querySelector(link.getAttribute('href') ?? '')?.textContent).toContain('Details');
  type('Email', 'rosa@example.com');
  await press('Save details');
  await waitFor(() => expect(screen.queryByText(/has not arrived since/)).toBeNull());
});

/** A client with open requests about their data, whose ids are their kinds. */
function createAskingClient(...kinds: readonly DataRequest['kind'][]): ClientRecord {
  const open = { asked_at: '2026-11-30T12:00:00Z', done_at: null };
  return { ...UNREACHED, data_requests: kinds.map((kind) => ({ id: kind, kind, ...open })) };
}

/** What the API exports about a client. */
const exported = (client: ClientRecord, ...appointments: object[]) => ({
  ...{ client, appointments, history: [], messages: [], mails: [] },
});

test('a client’s data is saved as a page with their name, which does not mark their request as done', async () => {
  const client = createAskingClient('copy');
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob);
    return 'blob:one';
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  const calls = openPage(client, { [`GET ${CLIENT}/export`]: exported(client) });
  await press('Download their data');
  await waitFor(() => expect(click).toHaveBeenCalledOnce());
  expect(click.mock.contexts[0]).toHaveProperty(
    'download',
    expect.stringMatching(/^rosa.*\.html$/),
  );
  expect(await saved[0]?.text()).toContain('All that Ana Reyes keeps about Rosa Quint');
  expect(listWrites(calls)).toEqual([]);
  screen.getByRole('button', { name: 'Done: A copy of their data' });
});

test('data that the page cannot show is not saved, and the message says so', async () => {
  const odd = { ...createAppointment({}), status: 'dreamt' };
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  openPage(UNREACHED, { [`GET ${CLIENT}/export`]: exported(UNREACHED, odd) });
  await press('Download their data');
  await waitFor(() =>
    expect(toastTexts()).toEqual(['Their data was not downloaded. Please try again.']),
  );
  expect(click).not.toHaveBeenCalled();
});

test('what the client asked for about their data is a notice, until the artist marks it as done', async () => {
  let client = createAskingClient('copy', 'erasure');
  const finish = (kind: DataRequest['kind']) => () => {
    const data_requests = client.data_requests.map((request) =>
      request.kind === kind ? { ...request, done_at: '2026-12-02T12:00:00Z' } : request,
    );
    client = { ...client, data_requests };
    return new Response(null, { status: 204 });
  };
  const calls = openPage(() => client, {
    [`POST ${CLIENT}/data-requests/copy/done`]: finish('copy'),
    [`POST ${CLIENT}/data-requests/erasure/done`]: finish('erasure'),
  });
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

  await press('Done: A copy of their data');
  await press('Mark as done');
  await notice.findByText(
    'A copy of their data: asked on Mon, Nov 30, 2026, done on Wed, Dec 2, 2026',
  );
  expect(notice.queryByRole('button', { name: 'Done: A copy of their data' })).toBeNull();
  await press('Done: The erasure of their data');
  await press('Mark as done');
  await notice.findByText(/^The erasure of their data: asked on .*, done on /);
  expect(document.activeElement?.textContent).toBe('Requests about their data');
  expect(listWrites(calls)).toHaveLength(2);
});

test('erasing asks first, and then shows the client without personal data', async () => {
  let client: ClientRecord = { ...UNREACHED, next_appointment: '2026-12-03T15:00:00Z' };
  const calls = openPage(() => client, {
    [`POST ${CLIENT}/erase`]: () => {
      const gone = { first_name: null, last_name: null, email: null, phone_number: null };
      client = { ...UNREACHED, ...gone, erased_at: '2026-12-02T15:00:00Z' };
      return client;
    },
  });
  await press('Erase this client…');
  screen.getByText(/^They have an appointment on Thu, Dec 3, 2026\. Cancel it first, under/);
  await press('Keep it');
  await press('Erase this client…');
  expect(listWrites(calls)).toEqual([]);
  await press('Erase for good');
  await screen.findByRole('heading', { name: 'Erased client' });
  expect(screen.queryByLabelText('Email')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Erase this client…' })).toBeNull();
});

/** A client into whom another one was merged, which can be undone until this time. */
function createMergedClient(undo_until: string): ClientRecord {
  const client = { first_name: 'Rosa', last_name: 'Quint', email: 'rosa.work@example.com' };
  const last_merge = { id: 'merge', client, undo_until };
  return createClient({ other_emails: [client.email], last_merge });
}

test('the last merge is named and can be undone on the page', async () => {
  let client = createMergedClient('2026-12-01T13:00:00Z');
  const undo = () => {
    client = createClient();
    return client;
  };
  const calls = openPage(() => client, { 'POST clients/merges/merge/undo': undo });
  const notice = within(await screen.findByRole('region', { name: 'Last merge' }));
  notice.getByText(/^Rosa Quint, rosa\.work@example\.com, was merged into this client\./);
  screen.getByText('Who books with rosa.work@example.com is this client, too.');
  await press('Undo the merge');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Last merge' })).toBeNull());
  expect(listWrites(calls)).toHaveLength(1);
  expect(screen.queryByText(/is this client, too/)).toBeNull();
});

test('a merge that can no longer be undone is not offered', () => {
  render(<LastMerge client={createMergedClient('2020-12-01T13:00:00Z')} zone={ZONE} />);
  expect(screen.queryByRole('region', { name: 'Last merge' })).toBeNull();
});

test('notes that another device changed stand beside the typed ones until the artist decides', async () => {
  let stored = createClient({ notes: 'Latex' });
  const calls = openPage(() => stored, {
    [`PATCH ${CLIENT}`]: ({ body }) => {
      if (body['version'] !== stored.version)
        return problemResponse(409, 'These notes were changed.');
      stored = { ...stored, ...body, version: stored.version + 1 };
      return stored;
    },
  });
  const field = await screen.findByLabelText('Your notes');
  stored = { ...stored, notes: 'Latex, faints', version: 2 };
  await userEvent.type(field, ', likes tea');
  await press('Save notes');
  await screen.findByText('Latex, faints');
  screen.getByText('These notes were changed. What you typed is still here.');
  expect(field).toHaveProperty('value', 'Latex, likes tea');
  await press('Keep both');
  expect(screen.queryByText(/^Saved on another device/)).toBeNull();
  await press('Save notes');
  await waitFor(() => expect(stored.notes).toBe('Latex, faints\n\nLatex, likes tea'));
  expect(listWrites(calls)).toHaveLength(2);
});

test('the other client of a merge is looked for by the first name, and is never the same one', async () => {
  const twin = createClient({ id: 'twin', first_name: 'R.', last_name: 'Quint' });
  const calls = openPage(UNREACHED, {
    'GET clients': ({ query }) => (query.has('search') ? toListed(UNREACHED, twin) : toListed()),
    [`POST ${CLIENT}/merge`]: { id: 'merge', client: twin, undo_until: '2026-12-01T13:00:00Z' },
  });
  await press('Merge…');
  expect(input('Search clients').value).toBe('Rosa');
  const others = within(await screen.findByRole('list', { name: 'Clients' }));
  expect(others.getAllByRole('listitem')).toHaveLength(1);
  await userEvent.click(others.getByRole('button', { name: /^Merge R\. Quint into / }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(listWrites(calls).map(({ body }) => body)).toEqual([{ client_id: 'twin' }]);
});
