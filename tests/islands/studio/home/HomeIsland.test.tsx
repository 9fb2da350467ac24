import { act, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ReceivedMessage } from '#contract/contact.ts';
import type { OpenDataRequest } from '#contract/data_request.ts';
import HomeIsland from '#islands/studio/home/HomeIsland.tsx';
import { $messages } from '#stores/studio/home.ts';
import { $mailTrouble } from '#stores/studio/mails.ts';
import { mutateCache } from '#stores/studio/queries.ts';
import { SERVER_STATE } from '#support/admin_records.ts';
import { createSentMail } from '#support/browser_mail_log.ts';
import { type ApiCall, problemResponse } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { listWrites, openStudioPage, press, resetStudioPage } from '#support/fake_studio_api.ts';

const NEW_ARTIST: CurrentArtist = { ...ANA_SELF, scheduling_type: null };
const MESSAGE: ReceivedMessage = {
  id: 'one',
  name: 'Hana Sato',
  email: 'hana@example.com',
  message: 'Do you do cover-ups?',
  created_at: '2026-12-01T12:00:00Z',
  read_at: null,
};

let answers: Parameters<typeof openStudioPage>[1];
let calls: ApiCall[];

beforeEach(() => {
  answers = {};
});
afterEach(async () => {
  await resetStudioPage();
  mutateCache('admin-server', undefined);
});

function openPage(): void {
  calls = openStudioPage('/', answers);
  render(<HomeIsland productName="Linework" />);
}

const region = async (name: string | RegExp) => within(await screen.findByRole('region', { name }));
const href = (link: HTMLElement) => link.getAttribute('href');

/** The text of the next step of the checklist. */
const nextStep = async () => (await screen.findByText('Next:')).closest('li')?.textContent;

test('the next step of the checklist depends on the scheduling type, which can be changed', async () => {
  let me = NEW_ARTIST;
  answers['GET users/me'] = () => me;
  answers['GET services'] = toListed();
  answers['PATCH users/me'] = ({ body }) => {
    me = { ...me, ...body };
    return me;
  };
  openPage();
  await screen.findByRole('heading', { name: 'Hello, Ana' });
  expect(await nextStep()).toContain('How clients book');
  // Other steps follow from the choice: a count before it would grow with it.
  expect(screen.queryByText(/steps? left/)).toBeNull();
  await press(/^Choose this.*Clients send/);
  await waitFor(async () => expect(await nextStep()).toContain('A design'));
  screen.getByText(/^They send a request/);
  screen.getByText('3 steps left.');

  await press('Change how clients book');
  await press(/^Choose this.*Clients book/);
  await waitFor(async () => expect(await nextStep()).toContain('Opening hours'));
  screen.getByText(/^They book open times themselves/);
  expect(href(screen.getByRole('link', { name: 'Set your hours' }))).toBe('/studio/hours');
  expect(listWrites(calls).map(({ body }) => body['scheduling_type'])).toEqual([
    'managed',
    'service',
  ]);
});

test('appointments are listed by day, today first, with their confirmation state', async () => {
  answers['GET appointments/schedule'] = toListed(
    createAppointment({ id: 'held', status: 'held', confirmed: false }),
    createAppointment({ id: 'today', start: '2026-12-01T15:00:00Z', end: '2026-12-01T15:59:00Z' }),
  );
  openPage();
  const days = await region('Today and the week ahead');
  await days.findByText('Times in Eastern Time (New York)');
  await days.findByRole('link', { name: /10:00 AM.*Rosa Quint.*Picked, not confirmed yet/ });
  expect(days.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Today, Tuesday, December 1',
    'Thursday, December 3',
  ]);
  expect(days.getAllByRole('link').slice(0, 2).map(href)).toEqual([
    '/studio/appointments?show=all&id=today',
    '/studio/appointments?show=all&id=held',
  ]);
  days.getByRole('link', { name: /Rosa Quint.*Confirmed/ });
  const { query } = calls.find(({ path }) => path === 'appointments/schedule/') ?? {};
  expect(Object.fromEntries(query ?? [])).toEqual({
    start: '2026-11-30T10:00:00Z',
    end: '2026-12-09T11:59:00Z',
  });
});

test('waiting requests are counted, and the newest three are linked', async () => {
  const requests = ['dov', 'cem', 'bea'].map((id) =>
    createAppointment({ id, status: 'requested' }),
  );
  answers['GET appointments'] = ({ query }) => ({
    data: query.get('status') === 'requested' ? requests : [],
    count: 4,
  });
  openPage();
  const waiting = await region('Requests waiting (4)');
  expect(waiting.getAllByRole('listitem')).toHaveLength(3);
  // Without the words, it could be the day of the appointment.
  expect(waiting.getAllByText(/^Asked on /)).toHaveLength(3);
  expect(waiting.getAllByRole('link').map(href)).toEqual([
    '/studio/appointments?show=requests&id=dov',
    '/studio/appointments?show=requests&id=cem',
    '/studio/appointments?show=requests&id=bea',
    '/studio/appointments?show=requests',
  ]);
  waiting.getByRole('link', { name: 'Answer all 4' });
});

test('past appointments without a mark are counted, can be marked on the spot, and are linked if more than fit', async () => {
  const { client } = createAppointment({});
  const time = { start: '2026-11-29T15:00:00Z', end: '2026-11-29T15:59:00Z' };
  const unmarked = ['cem', 'bea'].map((id) =>
    createAppointment({ id, ...time, client: { ...client, first_name: id, last_name: null } }),
  );
  answers['GET appointments'] = ({ query }) =>
    query.get('status') === 'confirmed' && query.get('when') === 'past'
      ? { data: unmarked, count: unmarked.length && unmarked.length + 5 }
      : toListed();
  for (const { id } of unmarked)
    answers[`PATCH appointments/${id}`] = ({ body }) => ({ ...unmarked.shift(), ...body });
  openPage();
  const section = await region('Past appointments to mark (7)');
  const all = section.getByRole('link', { name: 'Show all 7' });
  expect(href(all)).toBe('/studio/appointments?show=unmarked');
  section.getByRole('link', { name: /^cem.*Sunday, November 29, 2026, 10:00 AM - 11:00 AM/ });
  await press(/^Did not come.*cem$/);
  await region('Past appointments to mark (6)');
  await screen.findByRole('button', { name: 'Undo' });
  await press(/^Completed.*bea$/);
  await screen.findByText('All are marked.');
  expect(document.activeElement).toBe(
    screen.getByRole('heading', { name: 'Past appointments to mark' }),
  );
  const marks = listWrites(calls).map(({ body }) => body['status']);
  expect(marks).toEqual(['no_show', 'completed']);
});

test('all past appointments are marked as completed at one tap, with Undo; what was changed elsewhere is named', async () => {
  let unmarked = ['cem', 'bea', 'dan'].map((id) => createAppointment({ id }));
  answers['GET appointments'] = ({ query }) =>
    query.get('when') === 'past' ? toListed(...unmarked) : toListed();
  for (const appointment of unmarked)
    answers[`PATCH appointments/${appointment.id}`] = ({ body }) => {
      unmarked = unmarked.filter(({ id }) => id !== appointment.id);
      return { ...appointment, ...body, version: 4 };
    };
  const isLeavingAsked = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  answers['PATCH appointments/dan'] = async () => {
    await screen.findByRole('button', { name: 'Marking 3 of 3…' });
    expect(isLeavingAsked()).toBe(true);
    return problemResponse(409, 'Changed elsewhere');
  };
  openPage();
  await region('Past appointments to mark (3)');
  await press('All completed');
  await region('Past appointments to mark (1)');
  expect(toastTexts()).toEqual([
    '1 appointment was not marked. Changed elsewhere',
    'Done. 2 appointments are marked as completed.',
  ]);
  expect(isLeavingAsked()).toBe(false);
  await press('Undo');
  await waitFor(() => expect(toastTexts().at(-1)).toBe('Undone. They are to mark again.'));
  const [one, two] = listWrites(calls).slice(-2);
  expect([one?.path, two?.path]).toEqual(['appointments/cem', 'appointments/bea']);
  expect(two?.body).toEqual({ status: 'confirmed', version: 4 });
});

test('a warning tells since when mail is late, or that the server sends none', async () => {
  const failure = 'The mail server did not answer.';
  const late = { status: 'queued', failure, created_at: '2026-12-01T11:30:00Z' } as const;
  answers['GET mails'] = { ...toListed(createSentMail('one', late)), sends_mail: true };
  openPage();
  await screen.findByText(/^A mail could not be delivered yet, written Tue, Dec 1, 6:30 AM\./);
  answers['GET mails'] = { ...toListed(), sends_mail: false };
  await act(async () => $mailTrouble.revalidate());
  await screen.findByText(/^Mail is saved, not sent/);
});

test('a visitor’s message can be read, answered by email and deleted', async () => {
  const read = { ...MESSAGE, id: 'two', name: 'Bo', read_at: '2026-12-01T12:30:00Z' };
  answers['GET users/me/messages'] = toListed(MESSAGE, read);
  // That it cannot be marked as read does not matter to the artist.
  answers['POST users/me/messages/read'] = problemResponse(503, 'Busy');
  answers['DELETE users/me/messages/one'] = () => {
    answers['GET users/me/messages'] = toListed();
    return new Response(null, { status: 204 });
  };
  openPage();
  const section = await region('Messages (2)');
  section.getAllByText('Do you do cover-ups?');
  expect(listWrites(calls)[0]?.body).toEqual({ ids: ['one'] });
  expect(screen.queryByText('Busy')).toBeNull();
  expect(href(section.getByRole('link', { name: 'Reply to Hana Sato' }))).toMatch(
    /^mailto:hana@example\.com\?/,
  );
  await press('Delete the message of Hana Sato');
  // Newer messages move it out of the first three, which are shown.
  const newer = ['three', 'four', 'five'].map((id) => ({ ...read, id }));
  answers['GET users/me/messages'] = toListed(...newer, MESSAGE);
  await act(async () => $messages.revalidate());
  await screen.findByText('Messages (4)');
  await press('Delete message');
  await waitFor(() => expect(screen.queryByRole('region', { name: /^Messages/ })).toBeNull());
  expect(listWrites(calls).map(({ path }) => path)).toEqual([
    'users/me/messages/read',
    'users/me/messages/one',
  ]);
});

test('the payments of a month are exported as a file that is named after it', async () => {
  const payment = { id: 'one', amount: 5000, currency: 'USD', method: 'cash' };
  const { id: appointment_id, start, client } = createAppointment({});
  const listed = { ...payment, received_on: '2026-11-24', appointment_id, start, client };
  answers['GET payments'] = { ...toListed(listed), sums: [{ amount: 5000, currency: 'USD' }] };
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  openPage();
  await press('Export as CSV');
  await waitFor(() =>
    expect(click.mock.contexts[0]).toHaveProperty('download', 'received-2026-12.csv'),
  );
});

test('without anything to tell there are no notices, and no link to billing without a subscription', async () => {
  openPage();
  await region('Today and the week ahead');
  await waitFor(() => expect(screen.queryByText(/^Loading/)).toBeNull());
  await waitFor(() => expect($mailTrouble.get()).toMatchObject({ loading: false }));
  expect(screen.queryByText(/mail/i)).toBeNull();
  expect(screen.queryByRole('region', { name: /^(Past app|Requests about data)/ })).toBeNull();
  expect(document.querySelector('a[href="/studio/billing"]')).toBeNull();
});

test('a superuser sees what has failed since yesterday, with links to it', async () => {
  const troubles = { failed_mails: 9, new_failed_mails: 2, retried_mails: 0, failed_jobs: 1 };
  answers['GET admin/server'] = {
    ...SERVER_STATE,
    troubles: { ...troubles, errors: 5, new_errors: 0 },
  };
  answers['GET users/me'] = { ...ANA_SELF, is_superuser: true };
  openPage();
  const notice = await region('This server needs attention');
  expect(notice.getAllByRole('link').map((link) => [link.textContent, href(link)])).toEqual([
    ['2 mails failed in 24 hours', '/studio/admin#mail'],
    ['1 job was given up in the last hour', '/studio/admin#jobs'],
  ]);
});

test('what clients ask for about their data is listed with links to them', async () => {
  const client = { id: 'rosa', first_name: 'Rosa', last_name: 'Quint', email: 'rosa@example.com' };
  const asked_at = '2026-11-30T12:00:00Z';
  answers['GET clients/data-requests'] = toListed<OpenDataRequest>(
    { id: 'one', kind: 'copy', asked_at, client },
    { id: 'two', kind: 'erasure', asked_at, client: { ...client, id: 'otto', first_name: 'Otto' } },
  );
  openPage();
  const requests = await region('Requests about data (2)');
  const links = requests.getAllByRole('link');
  expect(links.map((link) => href(link))).toEqual([
    '/studio/clients?id=rosa',
    '/studio/clients?id=otto',
  ]);
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'Rosa QuintA copy of their dataAsked on Monday, November 30, 2026',
    'Otto QuintThe erasure of their dataAsked on Monday, November 30, 2026',
  ]);
});
