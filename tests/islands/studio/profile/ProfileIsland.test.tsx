import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '#contract/account_security.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import ProfileIsland from '#islands/studio/profile/ProfileIsland.tsx';
import { $token } from '#stores/session.ts';
import { $sessions } from '#stores/studio/logins.ts';
import { $accountContents, $upcomingAppointments } from '#stores/studio/profile.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi, zoneWithOffsets } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { logInAgain } from '#support/query_stores.ts';

const PASSWORD = 'correct horse';
const NEW_PASSWORD = 'battery staple';

let self: CurrentArtist;
let upcoming: Appointment[];
let sessions: Session[];
/** Replaces the next response of the API, once. */
let refuse: (call: ApiCall) => Response | 'lost' | undefined;
let calls: ApiCall[];
let navigate: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T12:00:00Z') });
  self = ANA_SELF;
  upcoming = [];
  sessions = [];
  refuse = () => undefined;
  calls = stubApi((call) => {
    const refused = refuse(call);
    if (refused) refuse = () => undefined;
    return refused ?? respond(call);
  });
  navigate = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

afterEach(() => {
  cleanup();
  $accountContents.invalidate();
  $toasts.set([]);
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function respond({ method, path, body, query }: ApiCall): Response | object {
  const isPasswordRight = Object.values(body).some((value) => String(value).includes(PASSWORD));
  switch (path) {
    case 'users/me':
      if (method === 'DELETE')
        return isPasswordRight
          ? new Response(null, { status: 204 })
          : problemResponse(400, 'That is not your current password');
      self = { ...self, ...body };
      return self;
    case 'users/me/password':
      if (!isPasswordRight) return problemResponse(400, 'That is not your current password');
      return { access_token: 'new', token_type: 'bearer' };
    case 'users/me/studio-change/zone':
      // The server has another rule for the zone than this browser.
      return { ...zoneWithOffsets('America/Denver'), time_zone: query.get('time_zone') };
    case 'users/me/prove-email':
    case 'users/me/sessions/phone':
      return new Response(null, { status: 204 });
    case 'users/me/sessions/end-others':
      return { access_token: 'other', token_type: 'bearer' };
    case 'users/me/sessions':
      return toListed(...sessions);
    case 'appointments/':
      return toListed(...upcoming);
    default:
      return { data: [], count: 1 };
  }
}

async function openPage(changes: Partial<CurrentArtist> = {}): Promise<void> {
  self = { ...ANA_SELF, ...changes };
  await logInAgain();
  render(<ProfileIsland productName="Linework" />);
  await screen.findByLabelText('Full name');
  $upcomingAppointments.revalidate();
  $sessions.revalidate();
}

/** The API refuses the next change. */
function refuseChange(status: number, text: string): void {
  refuse = ({ method }) => (method === 'PATCH' ? problemResponse(status, text) : undefined);
}

const field = (label: string) =>
  screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' });
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const press = (name: string) => userEvent.click(button(name));
const sentChanges = () => calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
const expectToast = (text: string) => waitFor(() => expect(toastTexts().join()).toContain(text));

const type = (label: string, value: string) =>
  fireEvent.change(field(label), { target: { value } });

/** Waits until the field is invalid and described by this message. */
function expectFieldError(label: string, message: string): Promise<void> {
  return waitFor(() => {
    const described = field(label).getAttribute('aria-describedby')?.split(' ') ?? [];
    const text = described.map((id) => document.getElementById(id)?.textContent).join(' ');
    expect([field(label).getAttribute('aria-invalid'), text]).toEqual([
      'true',
      expect.stringMatching(`${message}$`),
    ]);
  });
}

test('invalid fields show their errors, and the form stays filled in', async () => {
  await openPage();
  expect(button('Save about you').disabled).toBe(true);
  type('Full name', '');
  type('Instagram', 'not a handle!');
  await press('Save about you');
  await expectFieldError('Full name', 'Full Name is required');
  await expectFieldError('Instagram', 'Not a handle');
  expect(sentChanges()).toEqual([]);

  type('Full name', 'Ana');
  type('Instagram', '');
  refuseChange(503, 'Not now');
  await press('Save about you');
  await screen.findByText(/Not now What you typed is still here/);
  expect(field('Full name').value).toBe('Ana');
});

test('a new email takes the password, shows refusals at its fields, and waits for its link', async () => {
  await openPage();
  // Not disabled while it looks blank: a browser may have filled it in without an event.
  await press('Change email');
  await expectFieldError('New email', 'Email is required');
  type('New email', 'bo@example.com');
  await press('Change email');
  await expectFieldError('Account password', 'Password is required');
  expect(sentChanges()).toEqual([]);
  type('Account password', PASSWORD);
  for (const [status, label, message] of [
    [400, 'Account password', 'That is not your current password'],
    [409, 'New email', 'An account with this email already exists'],
  ] as const) {
    refuseChange(status, message);
    await press('Change email');
    await expectFieldError(label, message);
  }
  refuse = ({ method }) =>
    method === 'PATCH' ? Response.json({ ...self, pending_email: 'bo@example.com' }) : undefined;
  await press('Change email');
  await screen.findByText(/We mailed a link to bo@example.com\./);
  expect(sentChanges().at(-1)).toEqual({ email: 'bo@example.com', current_password: PASSWORD });
});

test('while a new email waits, its link can be mailed again, and the artist can keep the old one', async () => {
  await openPage({ pending_email: 'bo@example.com' });
  await press('Mail it again');
  await expectToast('Open the link in the mail to bo@example.com.');
  expect(calls.some(({ path }) => path === 'users/me/prove-email')).toBe(true);
  self = { ...self, pending_email: null };
  await press(`Keep ${self.email}`);
  await expectToast(`Your email stays ${self.email}.`);
  expect(sentChanges()).toEqual([{ email: self.email }]);
  expect(field('New email').value).toBe('');
});

test('the list of logins names browsers and places, and ends all but this one', async () => {
  const session = { browser: 'Chrome on Android', time_zone: 'Europe/Berlin', is_current: false };
  const used = { created_at: '2026-12-01T12:00:00Z', last_used_at: '2026-12-01T12:00:00Z' };
  sessions = [
    { ...session, ...used, id: 'this', browser: 'Safari on iOS', is_current: true },
    { ...session, ...used, id: 'phone' },
  ];
  await openPage();
  const section = within(screen.getByRole('region', { name: 'Logins' }));
  await section.findByText('Chrome on Android', { selector: '.font-semibold' });
  section.getByText('Berlin · This browser');
  expect(section.getAllByRole('button', { name: /^Log out/ })).toHaveLength(2);
  await userEvent.click(section.getByRole('button', { name: 'Log out… Chrome on Android' }));
  const dialog = await screen.findByRole('dialog', { name: 'Log out Chrome on Android?' });
  expect(dialog.textContent).toContain('Chrome on Android can be used again only after a login.');
  await press('Keep it logged in');
  expect(calls.some(({ method }) => method === 'DELETE' || method === 'POST')).toBe(false);
  await userEvent.click(section.getByRole('button', { name: 'Log out… Chrome on Android' }));
  await press('Log it out');
  await expectFieldError('Your password', 'Password is required');
  type('Your password', PASSWORD);
  await press('Log it out');
  await expectToast('That browser has to log in again.');
  const proof = { current_password: PASSWORD };
  const ended = calls.find(({ method }) => method === 'DELETE');
  expect(ended).toMatchObject({ path: 'users/me/sessions/phone', body: proof });
  await press('Log out all others…');
  await screen.findByRole('dialog', { name: 'Log out all other browsers?' });
  type('Your password', PASSWORD);
  await press('Log them out');
  await waitFor(() => expect($token.get()).toBe('other'));
});

test('a new username asks for confirmation with its consequences, and can be declined', async () => {
  await openPage();
  type('Username', 'ana-new');
  await press('Change username');
  const dialog = await screen.findByRole('dialog', { name: 'Change your page’s address?' });
  for (const text of [
    `${location.origin}/ana/`,
    `${location.origin}/ana-new/`,
    'still lead to you',
  ])
    expect(dialog.textContent).toContain(text);
  await press('Keep ana');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(field('Username').value).toBe('ana-new');
  expect(sentChanges()).toEqual([]);

  await press('Change username');
  await userEvent.click(await screen.findByRole('button', { name: 'Change the address' }));
  await expectToast('Your page has a new address.');
  expect(sentChanges()).toEqual([{ username: 'ana-new' }]);
});

test('a reserved or taken username shows its error at the field', async () => {
  await openPage();
  type('Username', 'explore');
  await press('Change username');
  await expectFieldError('Username', 'This username is not available');
  expect(screen.queryByRole('dialog')).toBeNull();
  type('Username', 'boris');
  await press('Change username');
  refuseChange(409, 'This username is already taken');
  await userEvent.click(await screen.findByRole('button', { name: 'Change the address' }));
  await expectFieldError('Username', 'This username is already taken');
  expect(screen.queryByRole('dialog')).toBeNull();
});

/** Types a new city and time zone, and presses Save. */
async function moveToLosAngeles(): Promise<void> {
  type('City', 'Los Angeles');
  const zone = screen.getByRole('combobox', { name: 'Time zone' });
  await userEvent.click(zone);
  fireEvent.change(zone, { target: { value: 'los angeles' } });
  await userEvent.click(await screen.findByRole('option', { name: /Los_Angeles/ }));
  screen.getByText('Your opening hours will be read in the new time zone.');
  await press('Save studio');
}

test('a new address and time zone ask before they are saved, with a preview and examples', async () => {
  const cancelled = createAppointment({ id: 'three', status: 'cancelled' });
  upcoming = [createAppointment({ id: 'one' }), createAppointment({ id: 'two' }), cancelled];
  await openPage();
  await moveToLosAngeles();
  const dialog = await screen.findByRole('dialog', { name: 'Tell 1 client?' });
  for (const text of [
    'What happens to your 2 upcoming appointments?',
    'Appointments stay at the same moment.The studio’s clock shows another time.',
    'Rosa Quint: Thu, Dec 3, 2026, 10:00 AM (New York) becomes 8:00 AM (Los Angeles)',
    'Appointments stay at the same time on the clock.They happen 2 hours later.',
    'Rosa Quint: stays at 10:00 AM, 2 hours later',
    // As the mail does.
    'WhereInk & Ivory12 Orchard StreetLos Angeles, NY 10002',
    '2 mails, one for each appointment',
    'New address and time zone: Thu, Dec 3, 2026 at 8:00 AM with Ana Reyes',
    'Your appointment stays at the same moment',
  ])
    expect(dialog.textContent.replaceAll(/\s/g, ' ')).toContain(text);
  await userEvent.click(within(dialog).getByRole('radio', { name: /same time on the clock/ }));
  expect(dialog.textContent).toMatch(/New address and time zone: Thu, Dec 3, 2026 at 10:00\sAM/);
  expect(sentChanges()).toEqual([]);
  await press('Yes');
  await expectToast('The mails go out in a minute.');
  expect(screen.queryByRole('dialog')).toBeNull();
  const studio = { city: 'Los Angeles', time_zone: 'America/Los_Angeles' };
  expect(sentChanges()).toMatchObject([{ studio, tell_clients: true, keep: 'clock_times' }]);
});

test('a cancelled question saves nothing and keeps what was typed; No mails nobody', async () => {
  upcoming = [createAppointment({})];
  await openPage();
  await moveToLosAngeles();
  const dialog = within(await screen.findByRole('dialog', { name: 'Tell 1 client?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sentChanges()).toEqual([]);
  expect(field('City').value).toBe('Los Angeles');
  await press('Save studio');
  await userEvent.click(await screen.findByRole('button', { name: 'No, I only corrected it' }));
  await expectToast('No client is mailed.');
  expect(sentChanges()).toMatchObject([{ tell_clients: false, keep: 'moments' }]);
});

test('at most three reminders can be chosen, saved in the order of the list, and none shows that clients get no reminder', async () => {
  await openPage();
  const reminders = within(screen.getByRole('region', { name: 'Reminders' }));
  const checkbox = (label: string) => reminders.getByLabelText<HTMLInputElement>(`${label} before`);
  expect([checkbox('3 days').checked, checkbox('24 hours').checked]).toEqual([true, true]);
  await userEvent.click(checkbox('2 hours'));
  expect(checkbox('1 week').disabled).toBe(true);
  await userEvent.click(checkbox('3 days'));
  await userEvent.click(checkbox('1 week'));
  await press('Save reminders');
  await expectToast('Your clients are reminded so from now on.');
  expect(sentChanges()).toEqual([{ reminder_hours: [168, 24, 2] }]);

  for (const label of ['1 week', '24 hours', '2 hours']) await userEvent.click(checkbox(label));
  reminders.getByText(/your clients are not reminded/);
});

test('after a password change this tab stays logged in, and other forms stay filled in', async () => {
  await openPage();
  type('Full name', 'Ana Reyes, half typed');
  await press('Change password');
  await expectFieldError('Current password', 'Password is required');
  type('Current password', 'not the password');
  type('New password', NEW_PASSWORD);
  type('Confirm new password', 'something else');
  await press('Change password');
  await expectFieldError('Confirm new password', 'The passwords do not match');
  expect(sentChanges()).toEqual([]);
  type('Confirm new password', NEW_PASSWORD);
  await press('Change password');
  await expectFieldError('Current password', 'That is not your current password');

  type('Current password', PASSWORD);
  await press('Change password');
  await expectToast('Password updated successfully.');
  expect(field('Current password').value).toBe('');
  expect($token.get()).toBe('new');
  expect(field('Full name').value).toBe('Ana Reyes, half typed');
  await press('Save about you');
  await expectToast('Your page shows it');
  expect(calls.at(-1)?.token).toBe('new');
  expect(navigate).not.toHaveBeenCalled();
});

test('deleting the account lists its contents and requires the password', async () => {
  upcoming = [createAppointment({})];
  await openPage();
  await press('Delete the account…');
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }));
  await dialog.findByText('1 service');
  dialog.getByText('1 appointment');
  dialog.getByText(/^your list of 1 client/);
  dialog.getByText(/1 client has an upcoming appointment\./);
  type('Your password', 'not the password');
  await press('Delete for good');
  await expectFieldError('Your password', 'That is not your password');
  expect($token.get()).toBeDefined();

  type('Your password', PASSWORD);
  await press('Delete for good');
  await waitFor(() => expect($token.get()).toBeUndefined());
  expect(calls.at(-1)).toMatchObject({
    ...{ method: 'DELETE', path: 'users/me' },
    body: { current_password: PASSWORD },
  });
  expect(navigate).toHaveBeenCalledWith('/login');
});
