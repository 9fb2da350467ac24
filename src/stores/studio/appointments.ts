import { atom, computed, onMount } from 'nanostores';
import {
  changeAppointment,
  createAppointment,
  deleteAppointment,
  fetchAppointment,
  listAppointments,
} from '#client/appointments.ts';
import { listClients } from '#client/clients.ts';
import { ApiError, formatError } from '#client/http.ts';
import type { Appointment, AppointmentQuery } from '#contract/appointment.ts';
import type { ClientRecord } from '#contract/client.ts';
import type { ListPage } from '#contract/common.ts';
import type { ArtistStatus } from '#domain/appointment.ts';
import type { TimeRange } from '#domain/availability.ts';
import { MINUTE_MS, toRfc3339 } from '#domain/time.ts';
import { errorText } from '../error_text.ts';
import { artistApi } from '../session.ts';
import { showErrorToast, showSuccessToast } from '../toasts.ts';
import { $me } from './me.ts';
import { createQuery, revalidate } from './queries.ts';

/** Which appointments are listed. */
export const APPOINTMENT_FILTERS = ['requests', 'waiting', 'upcoming', 'past', 'all'] as const;
export type AppointmentFilter = (typeof APPOINTMENT_FILTERS)[number];

/** What the page shows; its address says the same, so that a reload and Back keep it. */
interface UrlState {
  /** null is the list that this artist needs most. */
  readonly filter: AppointmentFilter | null;
  readonly search: string;
  readonly skip: number;
  /** The appointment that is open. */
  readonly openId: string | null;
}

/** On one page of the list. */
export const APPOINTMENTS_PER_PAGE = 25;
/** Offers last days and holds minutes, so there are never many; the most that the API lists. */
const MAX_PAGE_SIZE = 200;
const REFRESH_INTERVAL_MS = 60_000;
/** More are found by typing more of their name. */
const MAX_FOUND_CLIENTS = 5;

export const $urlState = atom<UrlState>({ filter: null, search: '', skip: 0, openId: null });

onMount($urlState, () => {
  const read = () => $urlState.set(parseUrlState(location.search));
  read();
  addEventListener('popstate', read);
  return () => removeEventListener('popstate', read);
});

/** The list that is shown. */
export const $filter = computed(
  [$urlState, $me],
  ({ filter }, { data }): AppointmentFilter =>
    filter ?? (data?.scheduling_type === 'service' ? 'upcoming' : 'requests'),
);

const $listParams = computed([$filter, $urlState], (show, { search, skip }) => ({
  show,
  search,
  skip,
}));
const $listKey = computed($listParams, (listed) => JSON.stringify(listed));

export const $appointmentList = createQuery<ListPage<Appointment>>(
  ['appointments', 'list', $listKey],
  {
    revalidateInterval: REFRESH_INTERVAL_MS,
    fetcher: () => fetchList($listParams.get()),
  },
);

/** How many clients wait for an answer. */
export const $requestCount = createQuery<number>(['appointments', 'count'], {
  revalidateInterval: REFRESH_INTERVAL_MS,
  fetcher: async () =>
    (await listAppointments(artistApi(), { status: 'requested', limit: 1 })).count,
});

const $openAppointmentId = computed($urlState, ({ openId: id }) => id);

/** The appointment that is open. */
export const $openAppointment = createQuery<Appointment>(
  ['appointments', 'one', $openAppointmentId],
  {
    fetcher: (...[, , id]) => fetchAppointment(artistApi(), String(id)),
  },
);

const $clientSearch = atom('');

/** Clients to enter an appointment for; those who came last when nothing is searched for. */
export const $foundClients = createQuery<readonly ClientRecord[]>(
  ['clients', 'found', $clientSearch],
  {
    fetcher: async () =>
      (await listClients(artistApi(), { search: $clientSearch.get(), limit: MAX_FOUND_CLIENTS }))
        .data,
  },
);

export function searchClients(search: string): void {
  $clientSearch.set(search);
}

const FIRST_PAGE = { search: '', skip: 0, openId: null };

export function setFilter(filter: AppointmentFilter): void {
  navigate({ ...FIRST_PAGE, search: $urlState.get().search, filter });
}

/** Looks for a part of a client's name or email. */
export function setSearch(search: string): void {
  if (search === $urlState.get().search) return;
  // A search is typed letter by letter: Back should not spell it backwards.
  navigate({ ...$urlState.get(), search, skip: 0, openId: null }, 'replaceState');
}

/** Turns to a page of the list; `isGone` when it takes the place of one that is no more. */
export function goToPage(skip: number, isGone = false): void {
  if (isGone) navigate({ ...$urlState.get(), skip }, 'replaceState');
  else navigate({ ...$urlState.get(), skip, openId: null });
}

/** Opens an appointment beside the list, or, with null, shows the list alone. */
export function openAppointment(id: string | null): void {
  navigate({ ...$urlState.get(), openId: id });
}

/** The address of the place with an appointment open. */
export function appointmentUrl(id: string): string {
  return toUrl({ ...$urlState.get(), openId: id });
}

/** What the address asks to be entered: a start, in milliseconds, or nothing in particular. */
export function parseEntryStart(): number | null | undefined {
  const asked = new URLSearchParams(location.search).get('enter');
  if (asked === null) return undefined;
  return Number.isNaN(Date.parse(asked)) ? null : Date.parse(asked);
}

/** The address no longer asks: a reload does not open the form again. */
export function clearEntryParam(): void {
  history.replaceState(history.state, '', toUrl($urlState.get()));
}

/**
 * Sets a time as the artist saw the appointment; `end` is excluded.
 * @throws ApiError in words, about the field `time` when it is the time that does not fit
 */
export async function saveAppointmentTime(
  seen: Appointment,
  { start, end }: TimeRange,
): Promise<Appointment> {
  try {
    const changed = await changeAppointment(artistApi(), seen.id, {
      start: toRfc3339(start),
      end: toRfc3339(end - MINUTE_MS),
      version: seen.version,
    });
    applyUpdate(changed);
    return changed;
  } catch (error) {
    throw (await reloadIfChanged(seen, error)) ? CHANGED_ELSEWHERE : toTimeFieldError(error);
  }
}

/**
 * Names a state as the artist saw the appointment.
 * @param note to the client
 * @param done what to tell the artist afterwards
 * @throws ApiError in words
 */
export async function transitionAppointment(
  seen: Appointment,
  status: ArtistStatus,
  note: string,
  done: string,
): Promise<void> {
  try {
    const changes = { status, version: seen.version, ...(note ? { note } : {}) };
    applyUpdate(await changeAppointment(artistApi(), seen.id, changes));
    showSuccessToast('Done.', done);
  } catch (error) {
    throw (await reloadIfChanged(seen, error)) ? CHANGED_ELSEWHERE : error;
  }
}

/** The same where there is no form: the artist is told what went wrong. */
export async function transitionOrShowError(
  seen: Appointment,
  status: ArtistStatus,
  done: string,
): Promise<void> {
  try {
    await transitionAppointment(seen, status, '', done);
  } catch (error) {
    if (error !== CHANGED_ELSEWHERE) showErrorToast('Something went wrong.', errorText(error));
  }
}

/** Deletes what came to nothing. */
export async function removeAppointment(seen: Appointment): Promise<void> {
  try {
    await deleteAppointment(artistApi(), seen.id);
    showSuccessToast('Deleted.', 'The appointment is gone.');
    openAppointment(null);
    // Not the appointment itself, which is no more.
    revalidate('appointments', 'list');
  } catch (error) {
    if (!(await reloadIfChanged(seen, error)))
      showErrorToast('Something went wrong.', errorText(error));
  }
}

/** An appointment by hand; `end` is excluded. */
export interface AppointmentEntry extends TimeRange {
  /** The id of a client, or who is new. */
  readonly client: string | NewClient;
  readonly serviceId: string | null;
  readonly notes: string;
}
interface NewClient {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly phone_number: string;
  readonly pronouns: string;
}

/**
 * Enters an appointment and opens it.
 * @throws ApiError in words, about the field `time` when another appointment is in the way
 */
export async function addAppointment({
  client,
  start,
  end,
  serviceId,
  notes,
}: AppointmentEntry): Promise<void> {
  try {
    const entered = await createAppointment(artistApi(), {
      ...(typeof client === 'string'
        ? { client_id: client }
        : { client: { ...client, email: client.email || null } }),
      service_id: serviceId,
      start: toRfc3339(start),
      end: toRfc3339(end - MINUTE_MS),
      customer_notes: notes,
    });
    showSuccessToast('Entered.', 'It is on your calendar, confirmed.');
    navigate({ ...$urlState.get(), openId: entered.id });
    applyUpdate(entered);
  } catch (error) {
    throw toTimeFieldError(error);
  }
}

const CHANGED_ELSEWHERE = new ApiError(
  409,
  'Conflict',
  'This appointment was changed elsewhere. You see it now as it is; nothing was overwritten.',
);

/** Takes over what a change answered, wherever it is shown. */
function applyUpdate(appointment: Appointment): void {
  if ($openAppointmentId.get() === appointment.id) $openAppointment.mutate(appointment);
  revalidate('appointments');
  // There is mail about most changes.
  revalidate('mails');
}

/** Whether a conflict is about the appointment itself, which is then shown as it is now. */
async function reloadIfChanged(seen: Appointment, error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError) || error.status !== 409) return false;
  try {
    const current = await fetchAppointment(artistApi(), seen.id);
    applyUpdate(current);
    if (current.version === seen.version && current.status === seen.status) return false;
    // Also here: a form may vanish with what it was for.
    showErrorToast('Something went wrong.', formatError(CHANGED_ELSEWHERE));
    return true;
  } catch {
    return false;
  }
}

/** A conflict about a time is told beside it. */
function toTimeFieldError(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 409) return error;
  revalidate('appointments');
  const msg =
    'Another appointment is in the way of that time, or too close to it. Please pick another.';
  return new ApiError(422, error.statusText, [{ type: 'time_taken', loc: ['body', 'time'], msg }]);
}

async function fetchList({
  show,
  search,
  skip,
}: {
  show: AppointmentFilter;
  search: string;
  skip: number;
}): Promise<ListPage<Appointment>> {
  if (show !== 'waiting')
    return listAppointments(artistApi(), {
      ...FILTER_QUERIES[show],
      search,
      skip,
      limit: APPOINTMENTS_PER_PAGE,
    });
  const lists = await Promise.all(
    (['offered', 'held'] as const).map((status) =>
      listAppointments(artistApi(), { status, search, order: 'soonest', limit: MAX_PAGE_SIZE }),
    ),
  );
  const all = lists
    .flatMap(({ data }) => data)
    .toSorted((a, b) => (a.start ?? '').localeCompare(b.start ?? ''));
  return { data: all.slice(skip, skip + APPOINTMENTS_PER_PAGE), count: all.length };
}

const FILTER_QUERIES: Record<Exclude<AppointmentFilter, 'waiting'>, Partial<AppointmentQuery>> = {
  requests: { status: 'requested' },
  upcoming: { status: 'confirmed', when: 'upcoming', order: 'soonest' },
  past: { when: 'past', order: 'latest' },
  all: {},
};

function navigate(place: UrlState, how: 'pushState' | 'replaceState' = 'pushState'): void {
  $urlState.set(place);
  history[how](null, '', toUrl(place));
}

function toUrl({ filter: show, search, skip, openId: id }: UrlState): string {
  const params = new URLSearchParams();
  if (show !== null) params.set('show', show);
  if (search !== '') params.set('search', search);
  if (skip > 0) params.set('skip', String(skip));
  if (id !== null) params.set('id', id);
  return `/studio/appointments${params.size > 0 ? `?${params}` : ''}`;
}

function parseUrlState(address: string): UrlState {
  const params = new URLSearchParams(address);
  const skip = Number(params.get('skip'));
  return {
    filter: APPOINTMENT_FILTERS.find((one) => one === params.get('show')) ?? null,
    search: (params.get('search') ?? '').slice(0, 200),
    skip: Number.isInteger(skip) && skip > 0 ? skip : 0,
    openId: params.get('id') || null,
  };
}
