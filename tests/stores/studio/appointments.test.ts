import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { TIME_TAKEN_TEXT } from '#contract/booking_refusals.ts';
import { startSession } from '#stores/session.ts';
import {
  $appointmentList,
  $clientSearch,
  $filter,
  $foundClients,
  $openAppointment,
  $openProject,
  $openRivals,
  $requestCount,
  $urlState,
  addAppointment,
  appointmentUrl,
  goToPage,
  hasEntryParam,
  markAppointment,
  openAppointment,
  parseEntryStart,
  removeAppointment,
  removeEntryParam,
  saveAppointmentTime,
  sendChanges,
  setFilter,
  setSearch,
  transitionAppointment,
} from '#stores/studio/appointments.ts';
import { $me } from '#stores/studio/me.ts';
import { $toasts } from '#stores/toasts.ts';
import { APPOINTMENT_ID, type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { reloadStore, waitForQueryKeys } from '#support/query_stores.ts';

const APPOINTMENT = createAppointment({});
const TEN = Date.parse('2026-12-04T15:00:00Z');
const ELEVEN = Date.parse('2026-12-04T16:00:00Z');
const DEFAULT_STATE = { filter: null, search: '', skip: 0, openId: null };

let calls: ApiCall[];
let respond: (call: ApiCall) => Response | object | 'lost';

beforeEach(() => {
  respond = () => toListed(APPOINTMENT);
  calls = stubApi((call) => respond(call));
  startSession(crypto.randomUUID());
  $toasts.set([]);
});

afterEach(() => {
  history.replaceState(null, '', '/studio/appointments');
  $urlState.set(DEFAULT_STATE);
});

const writes = () => calls.filter(({ method }) => method !== 'GET');

/** Opens the page with these query parameters. */
function visit(search: string) {
  history.replaceState(null, '', `/studio/appointments${search}`);
  onTestFinished($urlState.listen(() => {}));
  dispatchEvent(new PopStateEvent('popstate'));
  return $urlState.get();
}

test('the page state follows the URL, also after Back', () => {
  const search = `?show=past&search=rosa&skip=25&id=${APPOINTMENT_ID}`;
  expect(visit(search)).toEqual({
    filter: 'past',
    search: 'rosa',
    skip: 25,
    openId: APPOINTMENT_ID,
  });
  setFilter('all');
  expect(location.search).toBe('?show=all&search=rosa');
  history.replaceState(null, '', '/studio/appointments?show=waiting');
  dispatchEvent(new PopStateEvent('popstate'));
  expect($urlState.get().filter).toBe('waiting');
});

test('invalid query parameters give the default page state', () => {
  expect(visit('?show=everything&skip=-5&id=')).toEqual(DEFAULT_STATE);
  expect(visit(`?skip=1.5&search=${'x'.repeat(300)}`)).toEqual({
    ...DEFAULT_STATE,
    search: 'x'.repeat(200),
  });
});

test('a search starts on the first page and adds no history entry while typing', () => {
  visit('?skip=25');
  const before = history.length;
  setSearch('ro');
  setSearch('rosa');
  expect([location.search, history.length]).toEqual(['?search=rosa', before]);
  goToPage(25);
  expect(location.search).toBe('?search=rosa&skip=25');
  openAppointment('one');
  expect(location.search).toBe(`?${new URL(appointmentUrl('one'), location.href).searchParams}`);
  openAppointment(null);
  expect($urlState.get()).toEqual({ ...DEFAULT_STATE, search: 'rosa', skip: 25 });
});

test('the default filter is upcoming, or requests for artists with managed scheduling', async () => {
  visit('');
  respond = () => ({ ...ANA_SELF, scheduling_type: 'managed' });
  onTestFinished($filter.listen(() => {}));
  await reloadStore($me);
  expect($filter.get()).toBe('requests');
  respond = () => ANA_SELF;
  await reloadStore($me);
  expect($filter.get()).toBe('upcoming');
});

test('the waiting filter lists offers and holds together, soonest first', async () => {
  const at = (id: string, start: string | null) => createAppointment({ id, start });
  respond = ({ query }) =>
    query.get('status') === 'held'
      ? toListed(at('b', '2026-12-02T10:00:00Z'), at('d', '2026-12-04T10:00:00Z'))
      : toListed(at('a', '2026-12-01T10:00:00Z'), at('c', '2026-12-03T10:00:00Z'));
  visit('?show=waiting');
  const { data } = await reloadStore($appointmentList);
  expect(data?.data.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  expect(data?.count).toBe(4);
});

test('new requests are counted with a list of at most one', async () => {
  respond = () => ({ data: [], count: 12 });
  expect((await reloadStore($requestCount)).data).toBe(12);
  const countCall = calls.find(({ path }) => path === 'appointments/');
  expect(countCall?.query.toString()).toBe('status=requested&limit=1');
});

test('a new time is sent with the version of the appointment on the page', async () => {
  respond = () => createAppointment({ version: 4 });
  expect((await saveAppointmentTime(APPOINTMENT, { start: TEN, end: ELEVEN })).version).toBe(4);
  expect(writes()).toMatchObject([
    {
      method: 'PATCH',
      path: `appointments/${APPOINTMENT_ID}`,
      body: { start: '2026-12-04T15:00:00Z', end: '2026-12-04T15:59:00Z', version: 3 },
    },
  ]);
});

test('an offer is sent with its note, and an empty note removes the earlier one', async () => {
  respond = () => createAppointment({ version: 4 });
  await saveAppointmentTime(APPOINTMENT, { start: TEN, end: ELEVEN }, 'Bring the sketch.');
  await saveAppointmentTime(APPOINTMENT, { start: TEN, end: ELEVEN }, '');
  await saveAppointmentTime(APPOINTMENT, { start: TEN, end: ELEVEN });
  expect(writes().map(({ body }) => body['note'])).toEqual(['Bring the sketch.', '', undefined]);
});

test('an overlapping time rejects with an error of the field time', async () => {
  respond = ({ method }) =>
    method === 'PATCH' ? problemResponse(409, TIME_TAKEN_TEXT) : APPOINTMENT;
  await expect(saveAppointmentTime(APPOINTMENT, { start: TEN, end: ELEVEN })).rejects.toMatchObject(
    {
      status: 422,
      detail: [{ type: 'time_taken', loc: ['body', 'time'] }],
    },
  );
});

test('a version conflict reloads the appointment and shows an error toast', async () => {
  visit(`?id=${APPOINTMENT_ID}`);
  respond = () => APPOINTMENT;
  await reloadStore($openAppointment);
  const changed = createAppointment({ status: 'cancelled', version: 4 });
  respond = ({ method }) => (method === 'PATCH' ? problemResponse(409, 'Version') : changed);
  await expect(transitionAppointment(APPOINTMENT, 'completed', '', 'Done.')).rejects.toMatchObject({
    status: 409,
  });
  expect($openAppointment.get().data?.status).toBe('cancelled');
  expect(toastTexts()[0]).toContain('changed elsewhere');
});

test('a transition is sent with its note, or without a note when it is empty', async () => {
  respond = () => createAppointment({ status: 'declined' });
  await transitionAppointment(APPOINTMENT, 'declined', 'Fully booked', 'The request was declined.');
  await transitionAppointment(APPOINTMENT, 'cancelled', '', 'It was cancelled.');
  expect(writes().map(({ body }) => body)).toEqual([
    { status: 'declined', version: 3, note: 'Fully booked' },
    { status: 'cancelled', version: 3 },
  ]);
  expect(toastTexts()).toEqual(['Done. The request was declined.', 'Done. It was cancelled.']);
});

test('the toast of a mark has Undo for ten seconds, and Undo sends the earlier status', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  respond = ({ body }) => createAppointment({ ...body, version: Number(body['version']) + 1 });
  expect(await markAppointment(APPOINTMENT, 'completed')).toBe(true);
  vi.advanceTimersByTime(9_900);
  const [toast] = $toasts.get();
  expect([toast?.title, toast?.action?.label]).toEqual(['Done.', 'Undo']);
  toast?.action?.run();
  await vi.waitFor(() => expect(toastTexts().at(-1)).toContain('Undone.'));
  expect(writes().map(({ body }) => body)).toEqual([
    { status: 'completed', version: 3 },
    { status: 'confirmed', version: 4 },
  ]);
  // Undo needs no Undo of its own.
  expect($toasts.get().at(-1)?.action).toBeNull();
  vi.advanceTimersByTime(10_000);
  expect($toasts.get()).toEqual([]);
});

test('a corrected mark closes the Undo of the earlier one, and its own Undo brings that mark back', async () => {
  respond = ({ body }) => createAppointment({ ...body, version: Number(body['version']) + 1 });
  await markAppointment(APPOINTMENT, 'completed');
  await markAppointment(createAppointment({ status: 'completed', version: 4 }), 'no_show');
  expect(toastTexts()).toEqual(['Done. It is noted that Rosa Quint did not come.']);
  $toasts.get()[0]?.action?.run();
  await vi.waitFor(() => expect(writes().at(-1)?.body['status']).toBe('completed'));
});

test('the toast of a mark names a client without a name by their email', async () => {
  respond = ({ body }) => ({ ...APPOINTMENT, ...body });
  const client = { ...APPOINTMENT.client, first_name: null, last_name: null };
  await markAppointment({ ...APPOINTMENT, client }, 'completed');
  expect(toastTexts()).toEqual([
    'Done. The appointment of rosa@example.com is marked as completed.',
  ]);
});

test('an appointment that cannot be marked shows an error toast', async () => {
  respond = () => 'lost';
  expect(await markAppointment(APPOINTMENT, 'completed')).toBe(false);
  expect(toastTexts()).toEqual([
    'Something went wrong. The connection was lost. Please try again.',
  ]);
});

test('a deleted appointment is closed; one that was changed elsewhere stays open', async () => {
  visit(`?id=${APPOINTMENT_ID}`);
  respond = ({ method }) =>
    method === 'DELETE' ? problemResponse(409, 'Confirmed') : createAppointment({ version: 9 });
  await removeAppointment(APPOINTMENT);
  expect($urlState.get().openId).toBe(APPOINTMENT_ID);
  expect(toastTexts()[0]).toContain('changed elsewhere');
  respond = () => new Response(null, { status: 204 });
  await removeAppointment(APPOINTMENT);
  expect($urlState.get().openId).toBeNull();
});

test('an appointment can be added for an existing or a new client, and then opens', async () => {
  respond = ({ method }) => (method === 'POST' ? createAppointment({ id: 'entered' }) : toListed());
  const entry = { start: TEN, end: ELEVEN, serviceId: null, notes: '' };
  visit('');
  await addAppointment({ ...entry, client: 'rosa' });
  const newClient = {
    first_name: 'Rosa',
    last_name: '',
    email: '',
    phone_number: '',
    pronouns: '',
  };
  await addAppointment({ ...entry, client: newClient });
  expect(writes().map(({ body }) => [body['client_id'], body['client'], body['end']])).toEqual([
    ['rosa', undefined, '2026-12-04T15:59:00Z'],
    [undefined, { ...newClient, email: null }, '2026-12-04T15:59:00Z'],
  ]);
  expect($urlState.get().openId).toBe('entered');
});

test('the enter parameter opens a new appointment at a time, until it is removed', () => {
  visit('?enter=2026-12-04T15:00:00Z');
  expect(parseEntryStart()).toBe(TEN);
  visit('?enter');
  expect([hasEntryParam(), parseEntryStart()]).toEqual([true, null]);
  removeEntryParam();
  expect(hasEntryParam()).toBe(false);
});

test('a client search fetches at most five clients', async () => {
  $clientSearch.set('ros');
  await reloadStore($foundClients);
  const searchCall = calls.find(({ path }) => path === 'clients/');
  expect(searchCall?.query.toString()).toBe('search=ros&limit=5');
});

test('a design that is taken is a problem of its own, not of the time', async () => {
  const taken = 'This design is taken as often as it may be tattooed.';
  respond = () => problemResponse(409, taken);
  const entry = { client: 'rosa', serviceId: null, notes: '', start: TEN, end: ELEVEN };
  await expect(addAppointment(entry)).rejects.toMatchObject({ status: 409, detail: taken });
});

test('details are changed without the time, and only in the version that was shown', async () => {
  respond = ({ method }) => (method === 'PATCH' ? APPOINTMENT : toListed());
  await sendChanges(APPOINTMENT, { design_id: null, private_notes: 'Nickel allergy' });
  expect(writes().map(({ path, body }) => [path, body])).toEqual([
    [
      `appointments/${APPOINTMENT.id}`,
      { design_id: null, private_notes: 'Nickel allergy', version: APPOINTMENT.version },
    ],
  ]);
});

test('only a cancellation that keeps the design off says so to the API', async () => {
  respond = ({ method }) => (method === 'PATCH' ? APPOINTMENT : toListed());
  await transitionAppointment(APPOINTMENT, 'cancelled', '', 'Cancelled.', true);
  await transitionAppointment(APPOINTMENT, 'cancelled', '', 'Cancelled.');
  expect(writes().map(({ body }) => body['keep_edition'])).toEqual([true, undefined]);
});

test('rivals are loaded only for an appointment that waits for a decision', async () => {
  const request = createAppointment({ id: 'request', status: 'requested' });
  respond = ({ path }) =>
    path === 'appointments/request/rivals'
      ? toListed(APPOINTMENT)
      : path === 'appointments/request'
        ? request
        : APPOINTMENT;
  visit(`?id=${APPOINTMENT_ID}`);
  onTestFinished($openRivals.listen(() => {}));
  await reloadStore($openAppointment);
  await waitForQueryKeys();
  expect($openRivals.get().data).toBeUndefined();
  openAppointment('request');
  await vi.waitFor(() => expect($openRivals.get().data?.data).toEqual([APPOINTMENT]));
  expect(calls.filter(({ path }) => path.endsWith('/rivals'))).toHaveLength(1);
});

test('the sessions of a project are those with its id, the earliest first', async () => {
  const session = (id: string, start: string, project_id: string | null = 'swallow') =>
    createAppointment({ id, start, project_id });
  const second = session(APPOINTMENT_ID, '2026-12-10T15:00:00Z');
  const first = session('first', '2026-12-03T15:00:00Z');
  const other = session('other', '2026-12-01T15:00:00Z', null);
  respond = ({ path }) =>
    path.startsWith('appointments/by_client/') ? toListed(second, other, first) : second;
  visit(`?id=${APPOINTMENT_ID}`);
  await reloadStore($openAppointment);
  onTestFinished($openProject.listen(() => {}));
  await vi.waitFor(() =>
    expect($openProject.get().data?.map(({ id }) => id)).toEqual(['first', APPOINTMENT_ID]),
  );
});
