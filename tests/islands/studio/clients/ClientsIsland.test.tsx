import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ClientRecord } from '#contract/client.ts';
import ClientsIsland from '#islands/studio/clients/ClientsIsland.tsx';
import { clientList } from '#stores/studio/clients.ts';
import { type ApiCall, problemResponse } from '#support/fake_api.ts';
import { createClient, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { listWrites, openStudioPage, press, resetStudioPage } from '#support/fake_studio_api.ts';

const PAGE = '/studio/clients';
const ROSA = createClient({
  id: 'rosa',
  appointment_count: 2,
  last_appointment: '2026-11-03T15:00:00Z',
  next_appointment: '2026-12-04T03:30:00Z',
});
const IMRE: ClientRecord = {
  ...ROSA,
  id: 'imre',
  first_name: 'Imre',
  last_name: 'Vogel',
  email: 'imre@example.com',
  appointment_count: 1,
  last_appointment: null,
};

let answers: Parameters<typeof openStudioPage>[1];
let calls: ApiCall[];
let rosa: ClientRecord;

beforeEach(() => {
  rosa = ROSA;
  answers = {
    'GET clients': toListed(ROSA, IMRE),
    'GET clients/rosa': () => rosa,
    'PATCH clients/rosa': ({ body }) => {
      rosa = { ...rosa, ...body };
      return rosa;
    },
  };
});
afterEach(() => resetStudioPage(clientList.$list));

/** Opens the page with these query parameters. */
function openPage(search = ''): void {
  calls = openStudioPage(PAGE + search, answers);
  render(<ClientsIsland productName="Linework" />);
}

const field = (label: string) =>
  screen.findByLabelText<HTMLInputElement>(label, { selector: 'input, textarea, select' });
const type = async (label: string, value: string) =>
  fireEvent.change(await field(label), { target: { value } });
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Clients' })).getAllByRole('listitem');
const names = async () => (await rows()).map((row) => within(row).getByRole('heading').textContent);

test('a row shows the number of bookings, and the last and next in the studio’s zone', async () => {
  openPage();
  const [first, second] = (await rows()).map((row) => row.textContent);
  expect(first).toContain('2 bookings');
  expect(first).toContain('Last: Tue, Nov 3, 2026, 10:00 AM');
  expect(first).toContain('Next: Thu, Dec 3, 2026, 10:30 PM');
  expect(second).toContain('1 booking');
  expect(second).not.toContain('Last:');
});

test('a search lists who is found, or that nobody is, and can be reset', async () => {
  answers['GET clients'] = ({ query }) => {
    const search = query.get('search') ?? '';
    if (search === '') return toListed(ROSA, IMRE);
    return search === 'vog' ? toListed(IMRE) : toListed();
  };
  openPage();
  await type('Search clients', 'vog');
  await waitFor(async () => expect(await names()).toEqual(['Imre Vogel']));
  await type('Search clients', 'nobody at all');
  await screen.findByText('Nobody found');
  await press('Show all clients');
  await waitFor(async () => expect(await names()).toEqual(['Rosa Quint', 'Imre Vogel']));
});

test('details can be changed, and an invalid field shows its error', async () => {
  openPage('?id=rosa');
  const phone = await field('Phone number');
  await userEvent.type(phone, '12');
  await userEvent.tab();
  const message = await screen.findByText('Invalid phone number');
  expect(phone.getAttribute('aria-invalid')).toBe('true');
  expect(phone.getAttribute('aria-describedby')?.split(' ')).toContain(message.closest('[id]')?.id);
  await type('Phone number', '212 555 0100');
  await type('First name', 'Rosalind');
  await userEvent.selectOptions(await field('Preferred contact'), 'text');
  await press('Save details');
  await screen.findByText('The details were changed.');
  await screen.findByRole('heading', { name: 'Rosalind Quint' });
  const hrefs = [/^Call/, /^Email/].map((name) =>
    screen.getByRole('link', { name }).getAttribute('href'),
  );
  expect(hrefs).toEqual(['tel:+12125550100', 'mailto:rosa@example.com']);
  expect(listWrites(calls).at(-1)?.body).toMatchObject({
    first_name: 'Rosalind',
    phone_number: '+12125550100',
    preferred_contact: 'text',
  });
});

test('an email of another client shows an error at its field and focuses it', async () => {
  answers['PATCH clients/rosa'] = problemResponse(409, 'Another client of yours has this email');
  openPage('?id=rosa');
  await type('Email', 'imre@example.com');
  await press('Save details');
  await screen.findByText('Another client of yours has this email');
  const email = await field('Email');
  expect(email.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(email);
});

test('an artist without clients sees the link to share, to copy by hand where the browser forbids it, and no export', async () => {
  answers['GET clients'] = toListed();
  openPage();
  await screen.findByText('No clients yet');
  const address = `${location.origin}/ana/`;
  expect(screen.getByRole('link', { name: address }).getAttribute('href')).toBe(address);
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new DOMException('Denied'));
  await press('Copy link');
  await screen.findByText(`Copy it by hand: ${address}`);
  expect(screen.queryByRole('button', { name: 'Export as CSV' })).toBeNull();
});

test('a client who is not found, such as one of another artist, shows a message', async () => {
  answers['GET clients/rosa'] = problemResponse(404, 'Not found');
  openPage('?id=rosa');
  await screen.findByText('There is no such client');
});

test('a list that cannot be made into a file is not called a lost connection', async () => {
  openPage();
  vi.spyOn(URL, 'createObjectURL').mockImplementationOnce(() => {
    throw new TypeError('A bug');
  });
  await press('Export as CSV');
  await waitFor(() =>
    expect(toastTexts()).toEqual(['The clients were not exported. Please try again.']),
  );
});

test('the export is a file that is named after today in the studio’s zone', async () => {
  openPage();
  vi.setSystemTime('2026-12-01T03:00:00Z');
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  await press('Export as CSV');
  await waitFor(() =>
    expect(click.mock.contexts[0]).toHaveProperty('download', 'clients-2026-11-30.csv'),
  );
});
