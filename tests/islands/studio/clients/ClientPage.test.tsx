import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { ClientRecord } from '#contract/client.ts';
import { ClientPage } from '#islands/studio/clients/ClientPage.tsx';
import { ClientRow } from '#islands/studio/clients/ClientRow.tsx';
import { startSession } from '#stores/session.ts';
import { $clientId } from '#stores/studio/clients.ts';
import { stubApi } from '#support/fake_api.ts';
import { createAppointment, toListed } from '#support/fake_schedule_api.ts';

const ZONE = 'America/New_York';
/** A client with a mistyped email address. */
const UNREACHED: ClientRecord = {
  ...createAppointment({}).client,
  email: 'roza@example.com',
  email_failed_at: '2026-12-01T15:00:00Z',
  notes: '',
  erased_at: null,
  data_requests: [],
  appointment_count: 1,
  last_appointment: null,
  next_appointment: null,
  created_at: '2026-11-01T12:00:00Z',
};

afterEach(() => {
  cleanup();
  $clientId.set(null);
  vi.unstubAllGlobals();
});

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
  startSession('one');
  $clientId.set(UNREACHED.id);
  render(<ClientPage zone={ZONE} />);
  await screen.findByText(/Mail to roza@example\.com has not arrived since/);
  const link = screen.getByRole('link', { name: 'change it in their details' });
  expect(document.querySelector(link.getAttribute('href') ?? '')?.textContent).toContain('Details');
  const email = screen.getByLabelText('Email');
  await userEvent.clear(email);
  await userEvent.type(email, 'rosa@example.com');
  await userEvent.click(screen.getByRole('button', { name: 'Save details' }));
  await waitFor(() => expect(screen.queryByText(/has not arrived since/)).toBeNull());
});

test('a client’s data is saved as a JSON file with their name', async () => {
  const copy = { client: UNREACHED, appointments: [], history: [], messages: [], mails: [] };
  stubApi(({ path }) => {
    if (path === `clients/${UNREACHED.id}/export`) return copy;
    return path === `clients/${UNREACHED.id}` ? UNREACHED : toListed();
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
  startSession('one');
  $clientId.set(UNREACHED.id);
  render(<ClientPage zone={ZONE} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Download their data' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]?.name).toMatch(/^rosa.*\.json$/);
  expect(JSON.parse((await saved[0]?.blob.text()) ?? '')).toEqual(copy);
});

test('erasing asks first, and then shows the client without personal data', async () => {
  const user = userEvent.setup();
  const calls: string[] = [];
  stubApi(({ method, path }) => {
    calls.push(`${method} ${path}`);
    const isErased = calls.includes(`POST clients/${UNREACHED.id}/erase`);
    if (path !== `clients/${UNREACHED.id}`) return toListed();
    const gone = { first_name: null, last_name: null, email: null, phone_number: null };
    return isErased ? { ...UNREACHED, ...gone, erased_at: '2026-12-02T15:00:00Z' } : UNREACHED;
  });
  startSession('one');
  $clientId.set(UNREACHED.id);
  render(<ClientPage zone={ZONE} />);
  await user.click(await screen.findByRole('button', { name: 'Erase this client…' }));
  await user.click(screen.getByRole('button', { name: 'Keep it' }));
  await user.click(screen.getByRole('button', { name: 'Erase this client…' }));
  expect(calls).not.toContain(`POST clients/${UNREACHED.id}/erase`);
  await user.click(screen.getByRole('button', { name: 'Erase for good' }));
  await screen.findByRole('heading', { name: 'Erased client' });
  expect(screen.queryByLabelText('Email')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Erase this client…' })).toBeNull();
});
