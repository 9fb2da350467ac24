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
import { reasonOf } from '../reason.ts';
import { artistApi } from '../session.ts';
import { tellError, tellSuccess } from '../toasts.ts';
import { $me } from './me.ts';
import { createReading, revalidate } from './queries.ts';

/** Which appointments are listed. */
export const SHOWS = ['requests', 'waiting', 'upcoming', 'past', 'all'] as const;
export type Show = (typeof SHOWS)[number];

/** What the page shows; its address says the same, so that a reload and Back keep it. */
interface Place {
  /** null is the list that this artist needs most. */
  readonly show: Show | null;
  readonly search: string;
  readonly skip: number;
  /** The appointment that is open. */
  readonly id: string | null;
}

/** On one page of the list. */
export const LIMIT = 25;
/** Offers last days and holds minutes, so there are never many; the most that the API lists. */
const MOST = 200;
const LIVE_MS = 60_000;
/** More are found by typing more of their name. */
const CLIENTS_FOUND = 5;

export const $place = atom<Place>({ show: null, search: '', skip: 0, id: null });

onMount($place, () => {
  const read = () => $place.set(placeOf(location.search));
  read();
  addEventListener('popstate', read);
  return () => removeEventListener('popstate', read);
});

/** The list that is shown. */
export const $show = computed(
  [$place, $me],
  ({ show }, { data }): Show =>
    show ?? (data?.scheduling_type === 'service' ? 'upcoming' : 'requests'),
);

const $listed = computed([$show, $place], (show, { search, skip }) => ({ show, search, skip }));
const $listKey = computed($listed, (listed) => JSON.stringify(listed));

export const $list = createReading<ListPage<Appointment>>(['appointments', 'list', $listKey], {
  revalidateInterval: LIVE_MS,
  fetcher: () => readList($listed.get()),
});

/** How many clients wait for an answer. */
export const $waitingCount = createReading<number>(['appointments', 'count'], {
  revalidateInterval: LIVE_MS,
  fetcher: async () =>
    (await listAppointments(artistApi(), { status: 'requested', limit: 1 })).count,
});

const $openId = computed($place, ({ id }) => id);

/** The appointment that is open. */
export const $open = createReading<Appointment>(['appointments', 'one', $openId], {
  fetcher: (...[, , id]) => fetchAppointment(artistApi(), String(id)),
});

const $clientSearch = atom('');

/** Clients to enter an appointment for; those who came last when nothing is searched for. */
export const $clientsFound = createReading<readonly ClientRecord[]>(
  ['clients', 'found', $clientSearch],
  {
    fetcher: async () =>
      (await listClients(artistApi(), { search: $clientSearch.get(), limit: CLIENTS_FOUND })).data,
  },
);

export function findClients(search: string): void {
  $clientSearch.set(search);
}

const UNFILTERED = { search: '', skip: 0, id: null };

export function showOnly(show: Show): void {
  goTo({ ...UNFILTERED, search: $place.get().search, show });
}

/** Looks for a part of a client's name or email. */
export function searchFor(search: string): void {
  if (search === $place.get().search) return;
  // A search is typed letter by letter: Back should not spell it backwards.
  goTo({ ...$place.get(), search, skip: 0, id: null }, 'replaceState');
}

/** Turns to a page of the list; `isGone` when it takes the place of one that is no more. */
export function turnTo(skip: number, isGone = false): void {
  if (isGone) goTo({ ...$place.get(), skip }, 'replaceState');
  else goTo({ ...$place.get(), skip, id: null });
}

/** Opens an appointment beside the list, or, with null, shows the list alone. */
export function openAppointment(id: string | null): void {
  goTo({ ...$place.get(), id });
}

/** The address of the place with an appointment open. */
export function addressOf(id: string): string {
  return addressFor({ ...$place.get(), id });
}

/** What the address asks to be entered: a start, in milliseconds, or nothing in particular. */
export function askedToEnter(): number | null | undefined {
  const asked = new URLSearchParams(location.search).get('enter');
  if (asked === null) return undefined;
  return Number.isNaN(Date.parse(asked)) ? null : Date.parse(asked);
}

/** The address no longer asks: a reload does not open the form again. */
export function forgetAsked(): void {
  history.replaceState(history.state, '', addressFor($place.get()));
}

/**
 * Sets a time as the artist saw the appointment; `end` is excluded.
 * @throws ApiError in words, about the field `time` when it is the time that does not fit
 */
export async function setTime(seen: Appointment, { start, end }: TimeRange): Promise<Appointment> {
  try {
    const changed = await changeAppointment(artistApi(), seen.id, {
      start: toRfc3339(start),
      end: toRfc3339(end - MINUTE_MS),
      version: seen.version,
    });
    know(changed);
    return changed;
  } catch (error) {
    throw (await wasChanged(seen, error)) ? CHANGED_ELSEWHERE : besideTime(error);
  }
}

/**
 * Names a state as the artist saw the appointment.
 * @param note to the client
 * @param done what to tell the artist afterwards
 * @throws ApiError in words
 */
export async function settle(
  seen: Appointment,
  status: ArtistStatus,
  note: string,
  done: string,
): Promise<void> {
  try {
    const changes = { status, version: seen.version, ...(note ? { note } : {}) };
    know(await changeAppointment(artistApi(), seen.id, changes));
    tellSuccess('Done.', done);
  } catch (error) {
    throw (await wasChanged(seen, error)) ? CHANGED_ELSEWHERE : error;
  }
}

/** The same where there is no form: the artist is told what went wrong. */
export async function settleAtOnce(
  seen: Appointment,
  status: ArtistStatus,
  done: string,
): Promise<void> {
  try {
    await settle(seen, status, '', done);
  } catch (error) {
    if (error !== CHANGED_ELSEWHERE) tellError('Something went wrong.', reasonOf(error));
  }
}

/** Deletes what came to nothing. */
export async function removeAppointment(seen: Appointment): Promise<void> {
  try {
    await deleteAppointment(artistApi(), seen.id);
    tellSuccess('Deleted.', 'The appointment is gone.');
    openAppointment(null);
    // Not the appointment itself, which is no more.
    revalidate('appointments', 'list');
  } catch (error) {
    if (!(await wasChanged(seen, error))) tellError('Something went wrong.', reasonOf(error));
  }
}

/** An appointment by hand; `end` is excluded. */
export interface Entry extends TimeRange {
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
export async function enter({ client, start, end, serviceId, notes }: Entry): Promise<void> {
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
    tellSuccess('Entered.', 'It is on your calendar, confirmed.');
    goTo({ ...$place.get(), id: entered.id });
    know(entered);
  } catch (error) {
    throw besideTime(error);
  }
}

const CHANGED_ELSEWHERE = new ApiError(
  409,
  'Conflict',
  'This appointment was changed elsewhere. You see it now as it is; nothing was overwritten.',
);

/** Takes over what a change answered, wherever it is shown. */
function know(appointment: Appointment): void {
  if ($openId.get() === appointment.id) $open.mutate(appointment);
  revalidate('appointments');
  // There is mail about most changes.
  revalidate('mails');
}

/** Whether a conflict is about the appointment itself, which is then shown as it is now. */
async function wasChanged(seen: Appointment, error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError) || error.status !== 409) return false;
  try {
    const current = await fetchAppointment(artistApi(), seen.id);
    know(current);
    if (current.version === seen.version && current.status === seen.status) return false;
    // Also here: a form may vanish with what it was for.
    tellError('Something went wrong.', formatError(CHANGED_ELSEWHERE));
    return true;
  } catch {
    return false;
  }
}

/** A conflict about a time is told beside it. */
function besideTime(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 409) return error;
  revalidate('appointments');
  const msg =
    'Another appointment is in the way of that time, or too close to it. Please pick another.';
  return new ApiError(422, error.statusText, [{ type: 'time_taken', loc: ['body', 'time'], msg }]);
}

async function readList({
  show,
  search,
  skip,
}: {
  show: Show;
  search: string;
  skip: number;
}): Promise<ListPage<Appointment>> {
  if (show !== 'waiting')
    return listAppointments(artistApi(), { ...QUERIES[show], search, skip, limit: LIMIT });
  const lists = await Promise.all(
    (['offered', 'held'] as const).map((status) =>
      listAppointments(artistApi(), { status, search, order: 'soonest', limit: MOST }),
    ),
  );
  const all = lists
    .flatMap(({ data }) => data)
    .toSorted((a, b) => (a.start ?? '').localeCompare(b.start ?? ''));
  return { data: all.slice(skip, skip + LIMIT), count: all.length };
}

const QUERIES: Record<Exclude<Show, 'waiting'>, Partial<AppointmentQuery>> = {
  requests: { status: 'requested' },
  upcoming: { status: 'confirmed', when: 'upcoming', order: 'soonest' },
  past: { when: 'past', order: 'latest' },
  all: {},
};

function goTo(place: Place, how: 'pushState' | 'replaceState' = 'pushState'): void {
  $place.set(place);
  history[how](null, '', addressFor(place));
}

function addressFor({ show, search, skip, id }: Place): string {
  const params = new URLSearchParams();
  if (show !== null) params.set('show', show);
  if (search !== '') params.set('search', search);
  if (skip > 0) params.set('skip', String(skip));
  if (id !== null) params.set('id', id);
  return `/studio/appointments${params.size > 0 ? `?${params}` : ''}`;
}

function placeOf(address: string): Place {
  const params = new URLSearchParams(address);
  const skip = Number(params.get('skip'));
  return {
    show: SHOWS.find((one) => one === params.get('show')) ?? null,
    search: (params.get('search') ?? '').slice(0, 200),
    skip: Number.isInteger(skip) && skip > 0 ? skip : 0,
    id: params.get('id') || null,
  };
}
