import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startSession } from '#stores/session.ts';
import {
  $appointmentList,
  $filter,
  $foundClients,
  $openAppointment,
  $requestCount,
  $urlState,
  addAppointment,
  appointmentUrl,
  clearEntryParam,
  goToPage,
  openAppointment,
  parseEntryStart,
  removeAppointment,
  saveAppointmentTime,
  searchClients,
  setFilter,
  setSearch,
  transitionAppointment,
  transitionOrShowError,
} from '#stores/studio/appointments.ts';
import { $me } from '#stores/studio/me.ts';
import { $toasts } from '#stores/toasts.ts';
import { APPOINTMENT_ID, type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { reloadStore } from '#support/query_stores.ts';

const SEEN = createAppointment({});
const TEN = Date.parse('2026-12-04T15:00:00Z');
const ELEVEN = Date.parse('2026-12-04T16:00:00Z');
const EMPTY = { filter: null, search: '', skip: 0, openId: null };

let calls: ApiCall[];
let answer: (call: ApiCall) => Response | object | 'lost';

beforeEach(() => {
  answer = () => toListed(SEEN);
  calls = stubApi((call) => answer(call));
  startSession(crypto.randomUUID());
  $toasts.set([]);
});

afterEach(() => {
  history.replaceState(null, '', '/studio/appointments');
  $urlState.set(EMPTY);
});

const changes = () => calls.filter(({ method }) => method !== 'GET');

/** Opens the page at an address. */
function visit(search: string) {
  history.replaceState(null, '', `/studio/appointments${search}`);
  onTestFinished($urlState.listen(() => {}));
  dispatchEvent(new PopStateEvent('popstate'));
  return $urlState.get();
}

test('the address says what the page shows, and Back returns to it', () => {
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

test('an address that makes no sense shows the usual list', () => {
  expect(visit('?show=everything&skip=-5&id=')).toEqual(EMPTY);
  expect(visit(`?skip=1.5&search=${'x'.repeat(300)}`)).toEqual({
    ...EMPTY,
    search: 'x'.repeat(200),
  });
});

test('a search starts on the first page and is one step of the history', () => {
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
  expect($urlState.get()).toEqual({ ...EMPTY, search: 'rosa', skip: 25 });
});

test('without a choice the list is upcoming for services, and requests for managed artists', async () => {
  visit('');
  answer = () => ({ ...ANA_SELF, scheduling_type: 'managed' });
  onTestFinished($filter.listen(() => {}));
  await reloadStore($me);
  expect($filter.get()).toBe('requests');
  answer = () => ANA_SELF;
  await reloadStore($me);
  expect($filter.get()).toBe('upcoming');
});

test('offers and holds wait in one list, soonest first', async () => {
  const at = (id: string, start: string | null) => createAppointment({ id, start });
  answer = ({ query }) =>
    query.get('status') === 'held'
      ? toListed(at('b', '2026-12-02T10:00:00Z'), at('d', '2026-12-04T10:00:00Z'))
      : toListed(at('a', '2026-12-01T10:00:00Z'), at('c', '2026-12-03T10:00:00Z'));
  visit('?show=waiting');
  const { data } = await reloadStore($appointmentList);
  expect(data?.data.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  expect(data?.count).toBe(4);
});

test('requests that wait are counted, without reading them', async () => {
  answer = () => ({ data: [], count: 12 });
  expect((await reloadStore($requestCount)).data).toBe(12);
  const counted = calls.find(({ path }) => path === 'appointments/');
  expect(counted?.query.toString()).toBe('status=requested&limit=1');
});

test('a new time is sent with the version that the artist saw', async () => {
  answer = () => createAppointment({ version: 4 });
  expect((await saveAppointmentTime(SEEN, { start: TEN, end: ELEVEN })).version).toBe(4);
  expect(changes()).toMatchObject([
    {
      method: 'PATCH',
      path: `appointments/${APPOINTMENT_ID}`,
      body: { start: '2026-12-04T15:00:00Z', end: '2026-12-04T15:59:00Z', version: 3 },
    },
  ]);
});

test('a time that another appointment has is a fault of the field time', async () => {
  answer = ({ method }) => (method === 'PATCH' ? problemResponse(409, 'Overlaps') : SEEN);
  await expect(saveAppointmentTime(SEEN, { start: TEN, end: ELEVEN })).rejects.toMatchObject({
    status: 422,
    detail: [{ type: 'time_taken', loc: ['body', 'time'] }],
  });
});

test('an appointment that was changed elsewhere is shown as it is, and nothing is overwritten', async () => {
  visit(`?id=${APPOINTMENT_ID}`);
  answer = () => SEEN;
  await reloadStore($openAppointment);
  const now = createAppointment({ status: 'cancelled', version: 4 });
  answer = ({ method }) => (method === 'PATCH' ? problemResponse(409, 'Version') : now);
  await expect(transitionAppointment(SEEN, 'completed', '', 'Done.')).rejects.toMatchObject({
    status: 409,
  });
  expect($openAppointment.get().data?.status).toBe('cancelled');
  expect(toastTexts()[0]).toContain('changed elsewhere');
});

test('a state is sent with its note, and without one when there is none', async () => {
  answer = () => createAppointment({ status: 'declined' });
  await transitionAppointment(SEEN, 'declined', 'Fully booked', 'The request was declined.');
  await transitionAppointment(SEEN, 'cancelled', '', 'It was cancelled.');
  expect(changes().map(({ body }) => body)).toEqual([
    { status: 'declined', version: 3, note: 'Fully booked' },
    { status: 'cancelled', version: 3 },
  ]);
  expect(toastTexts()).toEqual(['Done. The request was declined.', 'Done. It was cancelled.']);
});

test('where there is no form a refused state is told', async () => {
  answer = () => 'lost';
  await transitionOrShowError(SEEN, 'completed', 'Done.');
  expect(toastTexts()).toEqual([
    'Something went wrong. The connection was lost. Please try again.',
  ]);
});

test('a deleted appointment closes; one that was changed elsewhere stays', async () => {
  visit(`?id=${APPOINTMENT_ID}`);
  answer = ({ method }) =>
    method === 'DELETE' ? problemResponse(409, 'Confirmed') : createAppointment({ version: 9 });
  await removeAppointment(SEEN);
  expect($urlState.get().openId).toBe(APPOINTMENT_ID);
  expect(toastTexts()[0]).toContain('changed elsewhere');
  answer = () => new Response(null, { status: 204 });
  await removeAppointment(SEEN);
  expect($urlState.get().openId).toBeNull();
});

test('an appointment entered by hand names a client by id, or a new one, and opens', async () => {
  answer = ({ method }) => (method === 'POST' ? createAppointment({ id: 'entered' }) : toListed());
  const entry = { start: TEN, end: ELEVEN, serviceId: null, notes: '' };
  visit('');
  await addAppointment({ ...entry, client: 'rosa' });
  const nobody = { first_name: 'Rosa', last_name: '', email: '', phone_number: '', pronouns: '' };
  await addAppointment({ ...entry, client: nobody });
  expect(changes().map(({ body }) => [body['client_id'], body['client'], body['end']])).toEqual([
    ['rosa', undefined, '2026-12-04T15:59:00Z'],
    [undefined, { ...nobody, email: null }, '2026-12-04T15:59:00Z'],
  ]);
  expect($urlState.get().openId).toBe('entered');
});

test('the address may ask for a new appointment at a time, once', () => {
  visit('?enter=2026-12-04T15:00:00Z');
  expect(parseEntryStart()).toBe(TEN);
  visit('?enter');
  expect(parseEntryStart()).toBeNull();
  clearEntryParam();
  expect(parseEntryStart()).toBeUndefined();
});

test('clients are found by a part of their name, five at most', async () => {
  searchClients('ros');
  await reloadStore($foundClients);
  const found = calls.find(({ path }) => path === 'clients/');
  expect(found?.query.toString()).toBe('search=ros&limit=5');
});
