import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import {
  $filter,
  $openAppointment,
  $openProject,
  $urlState,
  appointmentUrl,
  goToPage,
  markAppointment,
  openAppointment,
  setFilter,
  setSearch,
} from '#stores/studio/appointments.ts';
import { $me } from '#stores/studio/me.ts';
import { $toasts } from '#stores/toasts.ts';
import { APPOINTMENT_ID, type ApiCall, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { reloadStore } from '#support/query_stores.ts';

const APPOINTMENT = createAppointment({});
const DEFAULT_STATE = { filter: null, search: '', skip: 0, openId: null };

let calls: ApiCall[];
let respond: (call: ApiCall) => Response | object | 'lost';

beforeEach(() => {
  respond = () => toListed(APPOINTMENT);
  calls = stubApi((call) => respond(call));
  startSession(crypto.randomUUID());
});

afterEach(() => {
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

test('a corrected mark closes the Undo of the earlier one, and its own Undo brings that mark back', async () => {
  const client = { ...APPOINTMENT.client, first_name: null, last_name: null };
  respond = ({ body }) => ({
    ...APPOINTMENT,
    client,
    ...body,
    version: Number(body['version']) + 1,
  });
  await markAppointment(APPOINTMENT, 'completed');
  await markAppointment({ ...APPOINTMENT, client, status: 'completed', version: 4 }, 'no_show');
  expect(toastTexts()).toEqual(['Done. It is noted that rosa@example.com did not come.']);
  $toasts.get()[0]?.action?.run();
  await vi.waitFor(() => expect(toastTexts().at(-1)).toContain('Undone.'));
  expect(writes().at(-1)?.body).toEqual({ status: 'completed', version: 5 });
});

test('an appointment that cannot be marked shows an error toast', async () => {
  respond = () => 'lost';
  expect(await markAppointment(APPOINTMENT, 'completed')).toBe(false);
  expect(toastTexts()).toEqual([
    'The connection was lost. See whether it was done before you try again.',
  ]);
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
