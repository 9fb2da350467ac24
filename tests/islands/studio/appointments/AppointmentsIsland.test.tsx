import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Appointment } from '#contract/appointment.ts';
import AppointmentsIsland from '#islands/studio/appointments/AppointmentsIsland.tsx';
import { type ApiCall, FLASH, problemResponse, refusalResponse } from '#support/fake_api.ts';
import {
  createAppointment,
  toastTexts,
  toListed,
  withResolvedTimes,
} from '#support/fake_schedule_api.ts';
import {
  ANA_WITH_SCHEDULE,
  findDialog,
  input,
  listWrites,
  openStudioPage,
  press,
  resetStudioPage,
  type,
} from '#support/fake_studio_api.ts';

const PAGE = '/studio/appointments';
const REQUEST = createAppointment({
  id: 'request',
  status: 'requested',
  confirmed: false,
  start: null,
  end: null,
  blocked_until: null,
});
const OTTO = createAppointment({
  id: 'otto',
  client: { ...REQUEST.client, id: 'client otto', first_name: 'Otto', last_name: 'Brandt' },
});
const PAST = { ...OTTO, start: '2026-11-29T15:00:00Z', end: '2026-11-29T15:59:00Z' };
const ENTERED = {
  at: '2026-11-20T18:05:00Z',
  by: 'artist',
  what: 'entered',
  from_status: null,
  to_status: 'confirmed',
  from_start: null,
  to_start: null,
  note: null,
};
const MANAGED = { ...ANA_WITH_SCHEDULE, scheduling_type: 'managed' } as const;

let answers: Parameters<typeof openStudioPage>[1];
let calls: ApiCall[];

beforeEach(() => {
  answers = {};
});
afterEach(() => resetStudioPage());

/** Opens the page with these query parameters. */
function openPage(search = ''): void {
  calls = openStudioPage(PAGE + search, answers);
  render(<AppointmentsIsland productName="Linework" />);
}

/** The fake API has only this appointment, and stores its changes. */
function serveAppointment(appointment: Appointment): void {
  let current = appointment;
  answers['GET appointments'] = () => toListed(current);
  answers['GET appointments/schedule'] = () => toListed(current);
  answers[`GET appointments/${appointment.id}`] = () => current;
  answers[`PATCH appointments/${appointment.id}`] = ({ body }) => {
    current = { ...current, ...withResolvedTimes(body), version: current.version + 1 };
    return current;
  };
}

const button = (name: string | RegExp) => screen.findByRole('button', { name });
const detail = async () =>
  within(await screen.findByRole('region', { name: 'The appointment that is open' }));
const names = async () =>
  within(await screen.findByRole('list', { name: 'Appointments' }))
    .getAllByRole('link')
    .map((link) => link.firstChild?.firstChild?.textContent);

test('each filter fetches its own appointments, and a search those that match', async () => {
  answers['GET users/me'] = MANAGED;
  answers['GET appointments'] = ({ query }) => {
    const filterParams = [...query].filter(([name]) => !['limit', 'skip', 'search'].includes(name));
    const name = filterParams.map((part) => part.join('=')).join('&') || 'everything';
    const client = { ...REQUEST.client, first_name: name, last_name: '' };
    const start = `2026-12-03T1${name.includes('held') ? 4 : 5}:00:00Z`;
    return toListed(createAppointment({ id: name, client, start }));
  };
  openPage();
  const filters = [
    ['Requests (1)', ['status=requested']],
    ['Waiting for the client', ['status=held&order=soonest', 'status=offered&order=soonest']],
    ['Upcoming', ['status=confirmed&when=upcoming&order=soonest']],
    ['To mark (1)', ['status=confirmed&when=past&order=latest']],
    ['Past', ['when=past&order=latest']],
    ['All', ['everything']],
  ] as const;
  for (const [filter, queries] of filters) {
    await press(filter);
    await waitFor(async () => expect(await names()).toEqual(queries));
    expect((await button(filter)).getAttribute('aria-pressed')).toBe('true');
  }
  type('Search by client name, email or phone', ' TTO@exa ');
  await waitFor(() => expect(location.search).toBe('?show=all&search=TTO%40exa'));
  await waitFor(() => expect(calls.at(-1)?.query.get('search')).toBe('TTO@exa'));
});

test('a request that arrives while the page is in the background is shown on return', async () => {
  answers['GET users/me'] = MANAGED;
  openPage();
  await screen.findByText('No requests are waiting');
  await button('Copy the link to your page');
  expect(screen.queryByRole('button', { name: /^To mark/ })).toBeNull();
  answers['GET appointments'] = toListed(REQUEST);
  // A query is not repeated within one second.
  vi.setSystemTime(Date.now() + 2000);
  fireEvent(document, new Event('visibilitychange', { bubbles: true }));
  await screen.findByRole('link', { name: /Rosa Quint/ });
  await button('Requests (1)');
});

test('the dialog of an offer begins in its first field, and checks the time against the calendar and the opening hours while typing', async () => {
  serveAppointment(REQUEST);
  answers['GET appointments/schedule'] = toListed(OTTO);
  openPage('?id=request');
  await press('Offer a time');
  const dialog = await findDialog('Offer Rosa a time');
  expect(document.activeElement).toBe(input('Day'));
  type('Day', '2026-12-03');
  type('Minutes', '120');
  type('Start', '10:30');
  await dialog.findByText(/^Overlaps Otto Brandt, 10:00 AM - 11:00 AM/);
  type('Start', '09:00');
  type('Minutes', '45');
  await dialog.findByText(/^Outside your opening hours/);
  type('Start', '12:00');
  await userEvent.click(dialog.getByRole('button', { name: /^1 h/ }));
  await dialog.findByText('This time is free.');
  expect(input('Minutes').value).toBe('60');
  // An appointment of the day before or after may reach into the day.
  const ranges = calls.filter(({ path }) => path === 'appointments/schedule/');
  expect(Object.fromEntries(ranges.at(-1)?.query ?? [])).toEqual({
    start: '2026-12-01T10:00:00Z',
    end: '2026-12-06T11:59:00Z',
  });
});

test('a request shows what the client wishes, and declining it sends a note and shows it', async () => {
  serveAppointment({ ...REQUEST, size: 'medium', customer_notes: 'A swallow, mid-flight.' });
  openPage('?id=request');
  await press('Decline');
  const dialog = await findDialog('Decline this request?');
  await userEvent.type(dialog.getByLabelText(/^A note to Rosa/), 'I am away.{enter}Ask in July!');
  await press('Decline request');
  const shown = await detail();
  await shown.findByText('Declined');
  shown.getByText('A swallow, mid-flight.');
  shown.getByText('Medium (4 to 8 inches)');
  shown.getByText(/^I am away\.\s+Ask in July!$/);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(listWrites(calls).map(({ body }) => body)).toEqual([
    { status: 'declined', version: 3, note: 'I am away.\nAsk in July!' },
  ]);
});

test('a move with a version conflict shows an error and the new state, and can be repeated', async () => {
  serveAppointment(OTTO);
  openPage('?id=otto');
  await press('Move');
  const dialog = await findDialog('Move to another time');
  type('Start', '13:00');
  const otherTabChange = { start: '2026-12-03T17:00:00Z', end: '2026-12-03T17:59:00Z', version: 4 };
  serveAppointment({ ...OTTO, ...otherTabChange });
  const saveChange = answers['PATCH appointments/otto'] ?? {};
  answers['PATCH appointments/otto'] = problemResponse(409, 'Changed');
  const { start: from_start } = OTTO;
  const moved = { at: '2026-12-01T11:00:00Z', by: 'client', what: 'moved', from_start, note: null };
  answers['GET appointments/otto/history'] = toListed({
    ...moved,
    to_start: otherTabChange.start,
  });
  await press('Move it');
  await dialog.findByText(/^This appointment was changed elsewhere: Otto moved it from/);
  expect(input('Start').value).toBe('13:00');
  await (await detail()).findByText('12:00 PM - 1:00 PM');
  answers['PATCH appointments/otto'] = saveChange;
  await press('Move it');
  await (await detail()).findByText('1:00 PM - 2:00 PM');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(listWrites(calls).map(({ body }) => body['version'])).toEqual([3, 4]);
});

test('a past appointment can be marked as completed, which its history shows last; one that the artist entered has no connection to block; focus returns to its heading', async () => {
  serveAppointment({ ...PAST, email_proven: false });
  const entered = { ...ENTERED, to_start: PAST.start };
  const completed = { ...entered, at: '2026-12-01T12:00:00Z', what: 'completed' };
  answers['GET appointments/otto/history'] = () =>
    listWrites(calls).length === 0 ? toListed(entered) : toListed(entered, completed);
  openPage('?show=past');
  await userEvent.click(await screen.findByRole('link', { name: /Otto Brandt/ }));
  const history = within(await screen.findByRole('list', { name: 'History' }));
  const lines = () => history.getAllByRole('listitem').map(({ textContent }) => textContent);
  const first =
    'You entered the appointment for Sun, Nov 29, 2026, 10:00 AMFri, Nov 20, 2026, 1:05 PM';
  expect(lines()).toEqual([first]);
  screen.getByText('Block this address');
  expect(screen.queryByText(/^Block everyone/)).toBeNull();
  await press('Completed');
  await waitFor(() =>
    expect(lines()).toEqual([first, 'You marked it as completedTue, Dec 1, 2026, 7:00 AM']),
  );
  await button('Back to booked');
  expect(screen.queryByRole('button', { name: 'Cancel appointment' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Otto Brandt' }));
});

test('a request tells how its last offer ended, in the list and open, and can be offered again', async () => {
  answers['GET users/me'] = MANAGED;
  const start = '2026-12-03T15:00:00Z';
  serveAppointment({
    ...REQUEST,
    ended_offer: { what: 'offer_declined', start, note: 'I am away that week.' },
  });
  openPage('?id=request');
  const declined = 'Rosa declined the offer of Thu, Dec 3, 2026, 10:00 AM';
  const shown = await detail();
  await shown.findByText(declined);
  shown.getByText('“I am away that week.”');
  shown.getByRole('button', { name: 'Offer a time' });
  within(await screen.findByRole('list', { name: 'Appointments' })).getByText(declined);
});

test('an offer takes a note to the client, a moved offer another one or none, and Undo restores it', async () => {
  serveAppointment(REQUEST);
  answers['PATCH appointments/request'] = ({ body }) => {
    const offered = {
      ...REQUEST,
      ...withResolvedTimes(body),
      status: 'offered' as const,
      version: 4,
    };
    serveAppointment(offered);
    return offered;
  };
  openPage('?id=request');
  await press('Offer a time');
  await findDialog('Offer Rosa a time');
  type('Day', '2026-12-03');
  type('Start', '12:00');
  type(/^A note to Rosa/, 'Bring the sketch.');
  await press('Make the offer');
  await (await detail()).findByText('Bring the sketch.');
  await press('Move');
  const dialog = await findDialog('Move to another time');
  expect(dialog.getByLabelText(/^A note to Rosa/)).toHaveProperty('value', 'Bring the sketch.');
  type('Start', '13:00');
  type(/^A note to Rosa/, '');
  await press('Move it');
  await (await detail()).findByText('1:00 PM - 2:00 PM');
  expect(screen.queryByText('Bring the sketch.')).toBeNull();
  await press('Undo');
  await (await detail()).findByText('Bring the sketch.');
  const notes = listWrites(calls).map(({ body }) => body['note']);
  expect(notes).toEqual(['Bring the sketch.', '', 'Bring the sketch.']);
});

test('a booked appointment moves without a note, which can be undone; its own time changes nothing', async () => {
  serveAppointment(OTTO);
  const saveChange = answers['PATCH appointments/otto'] ?? {};
  answers['PATCH appointments/otto'] = OTTO;
  openPage('?id=otto');
  await press('Move');
  const dialog = await findDialog('Move to another time');
  expect(dialog.queryByLabelText(/^A note/)).toBeNull();
  await press('Move it');
  await screen.findByText('It has this time already.');
  answers['PATCH appointments/otto'] = saveChange;
  await press('Move');
  type('Start', '13:00');
  await press('Move it');
  // Meanwhile a client has booked beside the earlier time.
  answers['PATCH appointments/otto'] = (call) =>
    call.body['ignore_buffer'] ? OTTO : refusalResponse('buffer_touched');
  await press('Undo');
  await press('Leave no buffer');
  await waitFor(() => expect(toastTexts().at(-1)).toContain('Moved back.'));
  const [same, move, undo, undoWithoutBuffer] = listWrites(calls).map(({ body }) => body);
  // Instants, because the browser may not know the offset of a time that the artist has not typed.
  const { start, end } = OTTO;
  expect(same).toMatchObject({ start, end });
  expect(move?.['start']).toEqual({ local: '2026-12-03T13:00' });
  expect(undo).toEqual({ start, end, version: 4 });
  expect(undoWithoutBuffer).toEqual({ ...undo, ignore_buffer: true });
});

test('a time that the studio’s offsets do not cover is shown by its own, and sent by the clock', async () => {
  const [start, end] = ['2040-07-05T14:00:00Z', '2040-07-05T14:59:00Z'];
  const offsets = [start, '2040-07-05T15:00:00Z'].map((from) => ({ from, minutes: -240 }));
  serveAppointment({ ...OTTO, start, end, offsets });
  answers['GET appointments/otto/history'] = toListed({ ...ENTERED, to_start: start });
  openPage('?id=otto');
  await (await detail()).findByText('10:00 AM - 11:00 AM');
  await screen.findByText(/^You entered the appointment for Thu, Jul 5, 2040, 10:00 AM$/);
  await press('Move');
  const dialog = await findDialog('Move to another time');
  expect([input('Day').value, input('Start').value]).toEqual(['2040-07-05', '10:00']);
  await dialog.findByText(/^Free times are not listed/);
  dialog.getByRole('heading', { name: 'Thursday, July 5, 2040' });
  type('Start', '23:30');
  await press('Move it');
  await screen.findByText('Moved.');
  expect(listWrites(calls)[0]?.body).toMatchObject({
    start: { local: '2040-07-05T23:30' },
    end: { local: '2040-07-06T00:29' },
  });
});

test('an upcoming appointment can be cancelled, and deleted only after that', async () => {
  serveAppointment(OTTO);
  answers['DELETE appointments/otto'] = new Response(null, { status: 204 });
  openPage('?show=all&id=otto');
  await button('Cancel appointment');
  expect(screen.queryByRole('button', { name: 'Completed' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
  await press('Cancel appointment');
  const cancelling = await findDialog('Cancel this appointment?');
  await userEvent.click(cancelling.getByRole('button', { name: 'Cancel appointment' }));
  await press('Delete');
  await findDialog('Delete this appointment?');
  await press('Delete appointment');
  await waitFor(() => expect(location.search).toBe('?show=all'));
  expect(screen.queryByRole('region', { name: 'The appointment that is open' })).toBeNull();
  expect(listWrites(calls).map(({ method }) => method)).toEqual(['PATCH', 'DELETE']);
});

test('adding an appointment requires a valid email and a free time that clocks do not skip, asks before it touches a buffer, and errors leave it filled in', async () => {
  answers['POST appointments'] = refusalResponse('time_taken');
  openPage();
  await press('Enter an appointment');
  const dialog = await findDialog('Enter an appointment');
  const save = () => userEvent.click(dialog.getByRole('button', { name: 'Enter appointment' }));
  type('First name', 'Mei');
  type('Email', 'mei@');
  dialog.getByText('Times in Eastern Time (New York)');
  type('Day', '2027-03-14');
  type('Start', '02:30');
  type(/^Notes/, 'Touch-up of the swallow');
  await save();
  await dialog.findByText('Invalid email address');
  dialog.getByText(/^Clocks skip this time on that day/);
  expect(listWrites(calls)).toEqual([]);

  type('Email', 'mei@example.com');
  type('Day', '2026-12-03');
  type('Start', '10:30');
  await save();
  await dialog.findByText(/^Another appointment is in the way/);
  expect(input('First name').value).toBe('Mei');
  expect(input(/^Notes/).value).toBe('Touch-up of the swallow');

  await userEvent.selectOptions(dialog.getByLabelText(/^Service/), 'Small flash, 60 minutes');
  await waitFor(() => expect(input('Minutes').value).toBe('60'));
  type('Start', '11:00');
  answers['POST appointments'] = ({ body }) => {
    if (!body['ignore_buffer']) return refusalResponse('buffer_touched');
    const entered = { ...createAppointment({ id: 'entered' }), ...withResolvedTimes(body) };
    serveAppointment(entered);
    return entered;
  };
  await save();
  await findDialog('Leave no buffer?');
  expect(document.activeElement?.textContent).toBe('Pick another time');
  await press('Pick another time');
  await dialog.findByText(/^That time leaves no buffer .*\. Please pick another\.$/);
  await save();
  await press('Leave no buffer');
  await (await detail()).findByText('11:00 AM - 12:00 PM');
  (await detail()).getByText('Confirmed');
  (await detail()).getByText('They have used a mailed link, or you entered this email.');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(listWrites(calls).at(-1)?.body).toMatchObject({
    client: { first_name: 'Mei', email: 'mei@example.com' },
    service_id: FLASH.id,
    start: { local: '2026-12-03T11:00' },
    end: { local: '2026-12-03T11:59' },
    customer_notes: 'Touch-up of the swallow',
  });
});

test.each([
  ['', '2026-12-01', '11:00'],
  ['=2026-12-03', '2026-12-03', '12:00'],
  ['=2026-12-03T10:30', '2026-12-03', '10:30'],
  ['=2026-12-03T99:99', '2026-12-03', '12:00'],
  ['=2026-11-31T10:30', '2026-12-01', '11:00'],
])('an entry by ?enter%s begins on %s at %s, free unless picked', async (entry, date, time) => {
  const today = { start: '2026-12-01T15:00Z', end: '2026-12-01T15:59Z', blocked_until: null };
  answers['GET appointments/schedule'] = toListed(OTTO, { ...OTTO, ...today });
  openPage(`?enter${entry}`);
  await findDialog('Enter an appointment');
  await screen.findByText('Open and free');
  expect([input('Day').value, input('Start').value]).toEqual([date, time]);
});

test('the enter parameter opens the form at a time, and an existing client can be chosen', async () => {
  answers['GET clients'] = ({ query }) =>
    query.get('search') === 'brand' ? toListed(OTTO.client) : toListed(REQUEST.client, OTTO.client);
  answers['POST appointments'] = OTTO;
  answers['GET appointments/otto'] = OTTO;
  openPage('?enter=2026-12-05T11:00');
  const dialog = await findDialog('Enter an appointment');
  expect(document.activeElement).toBe(input('First name'));
  await userEvent.click(dialog.getByLabelText('One of my clients'));
  type('Find a client', 'brand');
  const found = () => within(dialog.getByRole('list', { name: 'Clients found' }));
  await waitFor(() => expect(found().getAllByRole('listitem')).toHaveLength(1));
  await userEvent.click(found().getByRole('button', { name: /Otto Brandt/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Enter appointment' }));
  await screen.findByRole('heading', { name: 'Otto Brandt', level: 2 });
  const [entered] = listWrites(calls);
  expect(entered?.body).toMatchObject({ client_id: 'client otto', price: null });
  for (const name of ['client', 'note', 'private_notes', 'next_session_of'])
    expect(entered?.body).not.toHaveProperty(name);
  expect(toastTexts()[0]).toContain('It is on your calendar');
});
