import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import ProfileIsland from '#islands/studio/profile/ProfileIsland.tsx';
import { $token } from '#stores/session.ts';
import { $accountContents, reloadUpcoming } from '#stores/studio/profile.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { logInAgain } from '#support/query_stores.ts';

const PASSWORD = 'correct horse';
const NEW_PASSWORD = 'battery staple';

let self: CurrentArtist;
let upcoming: Appointment[];
/** What the API answers once in place of what it would. */
let refuse: (call: ApiCall) => Response | 'lost' | undefined;
let calls: ApiCall[];
let leftFor: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  self = ANA_SELF;
  upcoming = [];
  refuse = () => undefined;
  calls = stubApi((call) => {
    const refused = refuse(call);
    if (refused) refuse = () => undefined;
    return refused ?? answer(call);
  });
  leftFor = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

afterEach(() => {
  cleanup();
  $accountContents.invalidate();
  $toasts.set([]);
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function answer({ method, path, body }: ApiCall): Response | object {
  const isRight = Object.values(body).some((value) => String(value).includes(PASSWORD));
  switch (path) {
    case 'users/me':
      if (method === 'DELETE') return new Response(null, { status: 204 });
      self = { ...self, ...body };
      return self;
    case 'users/me/password':
      if (!isRight) return problemResponse(400, 'That is not your current password');
      return { access_token: 'new', token_type: 'bearer' };
    case 'login/access-token':
      if (!String(body['text']).includes('correct')) return problemResponse(400, 'Incorrect');
      return { access_token: 'fresh', token_type: 'bearer' };
    case 'appointments/':
      return toListed(...upcoming);
    default:
      return { data: [], count: 1 };
  }
}

async function open(parts: Partial<CurrentArtist> = {}): Promise<void> {
  self = { ...ANA_SELF, ...parts };
  await logInAgain();
  render(<ProfileIsland productName="Linework" />);
  await screen.findByLabelText('Full name');
  reloadUpcoming();
}

const field = (label: string) =>
  screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' });
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const press = (name: string) => userEvent.click(button(name));
const changes = () => calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
const told = (text: string) => waitFor(() => expect(toastTexts().join()).toContain(text));

async function type(label: string, text: string): Promise<void> {
  await userEvent.clear(field(label));
  if (text !== '') await userEvent.type(field(label), text);
}

/** The field says what is wrong with it. */
function expectWrong(label: string, message: string): Promise<void> {
  return waitFor(() => {
    const described = field(label).getAttribute('aria-describedby')?.split(' ') ?? [];
    const text = described.map((id) => document.getElementById(id)?.textContent).join(' ');
    expect([field(label).getAttribute('aria-invalid'), text]).toEqual([
      'true',
      expect.stringMatching(`${message}$`),
    ]);
  });
}

test('what is wrong is said beside its field, and what was typed stays', async () => {
  await open();
  expect(button('Save about you').disabled).toBe(true);
  await type('Full name', '');
  await type('Instagram', 'not a handle!');
  await press('Save about you');
  await expectWrong('Full name', 'Full Name is required');
  await expectWrong('Instagram', 'Not a handle');
  expect(changes()).toEqual([]);

  await type('Full name', 'Ana');
  await type('Instagram', '');
  await type('Email', 'bo@example.com');
  refuse = ({ method }) =>
    method === 'PATCH'
      ? problemResponse(409, 'An account with this email already exists')
      : undefined;
  await press('Save about you');
  await expectWrong('Email', 'An account with this email already exists');
  expect(field('Full name').value).toBe('Ana');
});

test('a new username is asked about with what changes, and the old one can be kept', async () => {
  await open();
  await type('Username', 'ana-new');
  await press('Change username');
  const dialog = await screen.findByRole('dialog', { name: 'Change your page’s address?' });
  for (const text of [`${location.origin}/ana/`, `${location.origin}/ana-new/`, 'printed QR codes'])
    expect(dialog.textContent).toContain(text);
  await press('Keep ana');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(field('Username').value).toBe('ana-new');
  expect(changes()).toEqual([]);

  await press('Change username');
  await userEvent.click(await screen.findByRole('button', { name: 'Change the address' }));
  await told('Your page has a new address.');
  expect(changes()).toEqual([{ username: 'ana-new' }]);
});

test('a username that cannot be had or is taken is said beside the field', async () => {
  await open();
  await type('Username', 'explore');
  await press('Change username');
  await expectWrong('Username', 'This username is not available');
  expect(screen.queryByRole('dialog')).toBeNull();
  await type('Username', 'boris');
  await press('Change username');
  refuse = ({ method }) =>
    method === 'PATCH' ? problemResponse(409, 'This username is already taken') : undefined;
  await userEvent.click(await screen.findByRole('button', { name: 'Change the address' }));
  await expectWrong('Username', 'This username is already taken');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an artist who has not chosen how clients book chooses here', async () => {
  await open({ scheduling_type: null });
  screen.getByText(/Not chosen yet/);
  await userEvent.click(screen.getByRole('radio', { name: /^Clients send a request/ }));
  await press('Save how clients book');
  await waitFor(() => expect(screen.queryByText(/Not chosen yet/)).toBeNull());
  expect(changes()).toEqual([{ scheduling_type: 'managed' }]);
});

test('a new address and time zone say which appointments they affect', async () => {
  upcoming = [createAppointment({ id: 'one' }), createAppointment({ id: 'two' })];
  await open();
  await type('Address line 1', '1 Harbor Road');
  await screen.findByText('2 upcoming appointments will show the new address.');
  const zone = screen.getByRole('combobox', { name: 'Time zone' });
  await userEvent.clear(zone);
  await userEvent.type(zone, 'los angeles');
  await userEvent.click(await screen.findByRole('option', { name: /Los Angeles/ }));
  const affected = await screen.findByRole('list', { name: 'Appointments in the new time zone' });
  const rows = within(affected).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)[0]).toMatch(
    /Rosa Quint.*10:00\sAM \(New York\) becomes.*7:00\sAM \(Los Angeles\)/,
  );
  await press('Save studio');
  await told('Your page shows the studio');
  expect(screen.queryByRole('list', { name: 'Appointments in the new time zone' })).toBeNull();
  expect(changes()).toMatchObject([
    { studio: { address_one: '1 Harbor Road', time_zone: 'America/Los_Angeles' } },
  ]);
});

test('reminders are chosen, three at most, and none is said in words', async () => {
  await open();
  const reminders = within(screen.getByRole('region', { name: 'Reminders' }));
  const at = (words: string) => reminders.getByLabelText<HTMLInputElement>(`${words} before`);
  expect([at('3 days').checked, at('24 hours').checked]).toEqual([true, true]);
  await userEvent.click(at('2 hours'));
  expect(at('1 week').disabled).toBe(true);
  await userEvent.click(at('3 days'));
  await userEvent.click(at('1 week'));
  await press('Save reminders');
  await told('Your clients are reminded so from now on.');
  expect(changes()).toEqual([{ reminder_hours: [168, 24, 2] }]);

  for (const words of ['1 week', '24 hours', '2 hours']) await userEvent.click(at(words));
  reminders.getByText(/your clients are not reminded/);
  await press('Save reminders');
  await told('Your clients are not reminded any more.');
  expect(changes()[1]).toEqual({ reminder_hours: [] });
  expect(at('24 hours').checked).toBe(false);
});

test('a new password leaves this tab logged in, and what is typed elsewhere on the page stays', async () => {
  await open();
  await userEvent.type(field('Full name'), ', half typed');
  await type('Current password', 'not the password');
  await type('New password', NEW_PASSWORD);
  await type('Confirm new password', 'something else');
  await press('Change password');
  await expectWrong('Confirm new password', 'The passwords do not match');
  expect(changes()).toEqual([]);
  await type('Confirm new password', NEW_PASSWORD);
  await press('Change password');
  await expectWrong('Current password', 'That is not your current password');

  await type('Current password', PASSWORD);
  await press('Change password');
  await told('Password updated successfully.');
  expect(field('Current password').value).toBe('');
  expect($token.get()).toBe('new');
  expect(field('Full name').value).toBe('Ana Reyes, half typed');
  await press('Save about you');
  await told('Your page shows it');
  expect(calls.at(-1)?.token).toBe('new');
  expect(leftFor).not.toHaveBeenCalled();
});

test('an account is deleted only with its password, which is asked for with what is lost', async () => {
  upcoming = [createAppointment({})];
  await open();
  await press('Delete the account…');
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }));
  await dialog.findByText('1 service');
  dialog.getByText('1 appointment');
  dialog.getByText(/^your list of 1 client/);
  dialog.getByText(/1 client has an upcoming appointment\./);
  await type('Your password', 'not the password');
  await press('Delete for good');
  await expectWrong('Your password', 'That is not your password');
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);

  await type('Your password', PASSWORD);
  await press('Delete for good');
  await waitFor(() => expect($token.get()).toBeUndefined());
  expect(calls.at(-1)).toMatchObject({ method: 'DELETE', path: 'users/me', token: 'fresh' });
  expect(leftFor).toHaveBeenCalledWith('/login');
});

test('a file that is no picture is refused in words', async () => {
  await open();
  const picker = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!picker) throw new Error('No picture can be chosen');
  const drawing = new File(['<svg/>'], 'me.svg', { type: 'image/svg+xml' });
  await userEvent.setup({ applyAccept: false }).upload(picker, drawing);
  await screen.findByText('Only JPEG, PNG, WebP and AVIF pictures can be used');
  expect(screen.queryByRole('dialog')).toBeNull();
});
