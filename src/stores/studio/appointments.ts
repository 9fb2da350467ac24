// The appointments page of the studio: the list, the open appointment and its changes.
import { atom, computed, map, onMount } from 'nanostores';
import { ApiError } from '#client/call.ts';
import type { Appointment, AppointmentChanges, AppointmentQuery } from '#contract/appointment.ts';
import type { ListPage } from '#contract/common.ts';
import * as endpoints from '#contract/endpoints.ts';
import { type ArtistStatus, isUndecided } from '#domain/appointments/appointment.ts';
import { formatHistoryEvent } from '#domain/appointments/appointment_history.ts';
import { MAX_PAGE_SIZE } from '#domain/requests/list_limits.ts';
import { isDate } from '#domain/studio/studio_time.ts';
import type { LocalDate } from '#domain/time/calendar_date.ts';
import { pluralize } from '#domain/time/duration.ts';
import { showFailureToast } from '../error_text.ts';
import { callAsArtist } from '../session.ts';
import { closeToast, showSuccessToast } from '../toasts.ts';
import { fetchClientAppointments } from './booked_appointments.ts';
import { $me } from './me.ts';
import { createQuery, createQueryOf, revalidate } from './queries.ts';
import { pageUrl, parseListView } from './searched_list.ts';

/**
 * Which appointments are listed; `waiting` are those that the client must still confirm, `unmarked`
 * those that have ended without a mark of whether the client came, `alarm` those that the warning of
 * unusually many bookings is about.
 */
export const APPOINTMENT_FILTERS = [
  'requests',
  'waiting',
  'upcoming',
  'unmarked',
  'past',
  'all',
  'alarm',
] as const;
export type AppointmentFilter = (typeof APPOINTMENT_FILTERS)[number];

/** The view of the page. The URL holds it too, so that a reload and Back restore the view. */
interface UrlState {
  /** null: the default of `$filter`. */
  readonly filter: AppointmentFilter | null;
  readonly search: string;
  /** The number of appointments on the pages before the shown one. */
  readonly skip: number;
  /** The id of the appointment beside the list; null while the list is alone. */
  readonly openId: string | null;
}

export const APPOINTMENTS_PER_PAGE = 25;
const REFRESH_INTERVAL_MS = 60_000;
const MAX_UNMARKED = 5;
/** The API's query for each filter; `waiting` needs two, for the statuses offered and held. */
const FILTER_QUERIES: Record<Exclude<AppointmentFilter, 'waiting'>, Partial<AppointmentQuery>> = {
  requests: { status: 'requested' },
  upcoming: { status: 'confirmed', when: 'upcoming', order: 'soonest' },
  unmarked: { status: 'confirmed', when: 'past', order: 'latest' },
  past: { when: 'past', order: 'latest' },
  all: {},
  alarm: { in_alarm: 'true' },
};

/** Replaces the API's error 409 when the client, another tab or device changed the appointment. */
class ChangedElsewhere extends ApiError {
  /** @param lastChange a sentence without the full stop; null if it is not known */
  constructor(lastChange: string | null) {
    const what = lastChange === null ? '' : `: ${lastChange}`;
    const text = 'You see it now as it is; nothing was overwritten.';
    super(409, 'Conflict', `This appointment was changed elsewhere${what}. ${text}`);
  }
}

/** The view of the page, in step with the URL. */
export const $urlState = atom<UrlState>({ filter: null, search: '', skip: 0, openId: null });

onMount($urlState, () => {
  const readUrl = () => $urlState.set(parseUrlState(location.search));
  readUrl();
  addEventListener('popstate', readUrl);
  return () => removeEventListener('popstate', readUrl);
});

/** The URL's filter, else a default: clients of an artist with services book without a request. */
export const $filter = computed(
  [$urlState, $me],
  ({ filter }, { data: me }): AppointmentFilter =>
    filter ?? (me?.scheduling_type === 'service' ? 'upcoming' : 'requests'),
);

const fetchAppointments = (query: Partial<AppointmentQuery>) =>
  callAsArtist(endpoints.listAppointments, { query });

export const $appointmentList = createQueryOf(
  computed([$filter, $urlState], (filter, { search, skip }) => ({ filter, search, skip })),
  ['appointments', 'list'],
  ({ filter, ...page }) => fetchList(filter, page),
  { revalidateInterval: REFRESH_INTERVAL_MS },
);

export const $requestCount = createQuery(
  ['appointments', 'count'],
  async () => (await fetchAppointments({ status: 'requested', limit: 1 })).count,
  { revalidateInterval: REFRESH_INTERVAL_MS },
);

/** The id of the appointment beside the list; null while the list is alone. */
export const $openAppointmentId = computed($urlState, ({ openId }) => openId);

export const $openAppointment = createQueryOf(
  $openAppointmentId,
  ['appointments', 'one'],
  (appt_id) => callAsArtist(endpoints.fetchAppointment, { path: { appt_id } }),
);

/** The history of the open appointment, the oldest first. */
export const $openHistory = createQueryOf(
  $openAppointmentId,
  ['appointments', 'history'],
  (appt_id) => callAsArtist(endpoints.listAppointmentEvents, { path: { appt_id } }),
);

/** The id of the open appointment while it waits for a decision; else null. */
const $undecidedId = computed($openAppointment, ({ data }) =>
  data && isUndecided(data.status) ? data.id : null,
);

/** Other appointments and requests that want the design or the time of the open one. */
export const $openRivals = createQueryOf($undecidedId, ['appointments', 'rivals'], (appt_id) =>
  callAsArtist(endpoints.listRivals, { path: { appt_id } }),
);

/** The project of the open appointment, with the client; null without a project. */
const $project = computed($openAppointment, ({ data }) =>
  data?.project_id ? { id: data.project_id, client_id: data.client.id } : null,
);

/** All sessions of the open appointment's project, itself included, the earliest first. */
export const $openProject = createQueryOf($project, ['appointments', 'project'], async (project) =>
  (await fetchSessions(project)).toSorted(byStart),
);

/** Loads the appointments of a project: the sessions of one tattoo. @throws ApiError */
export async function fetchSessions(project: { readonly id: string; readonly client_id: string }) {
  const appointments = await fetchClientAppointments(project.client_id);
  return appointments.filter(({ project_id }) => project_id === project.id);
}

/** Sorts by start; appointments without a time come first. */
function byStart(a: Appointment, b: Appointment): number {
  return (a.start ?? '').localeCompare(b.start ?? '');
}

/** The last appointments that have ended without a mark of whether the client came, and their count. */
export const $unmarkedAppointments = createQuery(
  ['appointments', 'unmarked'],
  () => fetchAppointments({ ...FILTER_QUERIES.unmarked, limit: MAX_UNMARKED }),
  { revalidateInterval: REFRESH_INTERVAL_MS },
);

/** Lists the appointments of another filter, from the first page on. */
export function setFilter(filter: AppointmentFilter): void {
  navigate({ filter, skip: 0, openId: null });
}

/** Lists the appointments whose client's name or email contains `search`. */
export function setSearch(search: string): void {
  if (search === $urlState.get().search) return;
  // Back should not undo the search letter by letter.
  navigate({ search, skip: 0, openId: null }, 'replaceState');
}

/** Shows another page of the list. If the shown page is gone, the browser's Back skips it. */
export function goToPage(skip: number, isShownPageGone = false): void {
  if (isShownPageGone) navigate({ skip }, 'replaceState');
  else navigate({ skip, openId: null });
}

/** Opens an appointment beside the list; null shows the list alone. */
export function openAppointment(id: string | null): void {
  navigate({ openId: id });
}

/** The URL of the shown list with this appointment open beside it. */
export function appointmentUrl(id: string): string {
  return toUrl({ ...$urlState.get(), openId: id });
}

/** Whether the URL asks for the form of a new appointment, by `?enter`, `?enter=<date>` or `?enter=<start>`. */
export function hasEntryParam(): boolean {
  return new URLSearchParams(location.search).has('enter');
}

/** Where the form of a new appointment starts, by the studio's clock; `time` is `HH:MM`, or null for no time. */
export interface EntryStart {
  readonly date: LocalDate;
  readonly time: string | null;
}

/** The start of the new appointment, from `?enter=2027-01-13T10:00` or `?enter=2027-01-13`; else null. */
export function parseEntryStart(): EntryStart | null {
  const [date = '', time = ''] =
    new URLSearchParams(location.search).get('enter')?.split('T') ?? [];
  if (!isDate(date)) return null;
  return { date, time: /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? time : null };
}

/** Removes `?enter`, which `toUrl` leaves out, so that a reload does not open the form again. */
export function removeEntryParam(): void {
  history.replaceState(history.state, '', toUrl($urlState.get()));
}

/** Appointments as the API returned them after their last change, by id. A list may have been loaded before that. */
export const $changedAppointments = map<Record<string, Appointment>>({});

/** The progress of `completeAll` and its Undo; null while neither runs. */
export const $markProgress = atom<{ readonly done: number; readonly total: number } | null>(null);

/** Whether the client came; `confirmed` takes the mark back. */
const MARKS = ['completed', 'no_show', 'confirmed'] as const satisfies readonly ArtistStatus[];
export type Mark = (typeof MARKS)[number];

/** The last toasts with Undo, by the marked appointment. A newer change, which Undo would overwrite, closes them. */
const undoToastIds = new Map<string, number>();

/** Marks an appointment that has begun. Shows success with Undo, or the error. @returns whether it was marked */
export async function markAppointment(shown: Appointment, mark: Mark): Promise<boolean> {
  const marked = await tryMark(shown, mark);
  if (marked === null) return false;
  const markBefore = MARKS.find((other) => other === shown.status);
  const undo = markBefore && { label: 'Undo', run: () => void undoMark(marked, markBefore) };
  const toastId = showSuccessToast('Done.', formatMarked(shown, mark), undo);
  undoToastIds.set(shown.id, toastId);
  return true;
}

/** Marks appointments as completed. Shows success with one Undo, and errors. @returns whether any was marked */
export async function completeAll(shown: readonly Appointment[]): Promise<boolean> {
  const marked = await sendStatuses(shown, 'completed');
  if (marked.length === 0) return false;
  const text = `${pluralize(marked.length, 'appointment')} ${marked.length === 1 ? 'is' : 'are'} marked as completed.`;
  const undo = { label: 'Undo', run: () => void undoCompleteAll(marked) };
  const toastId = showSuccessToast('Done.', text, undo);
  for (const { id } of marked) undoToastIds.set(id, toastId);
  return true;
}

async function undoCompleteAll(marked: readonly Appointment[]): Promise<void> {
  const unmarked = await sendStatuses(marked, 'confirmed');
  if (unmarked.length > 0) showSuccessToast('Undone.', 'They are to mark again.');
}

/** Sends one call after the other; a failed one does not stop the next. @returns the changed appointments */
async function sendStatuses(shown: readonly Appointment[], status: Mark): Promise<Appointment[]> {
  const marked: Appointment[] = [];
  let lastError: unknown;
  for (const [done, { id, version }] of shown.entries()) {
    $markProgress.set({ done, total: shown.length });
    closeToast(undoToastIds.get(id));
    try {
      const path = { appt_id: id };
      marked.push(
        await callAsArtist(endpoints.changeAppointment, { path, body: { status, version } }),
      );
    } catch (error) {
      lastError = error;
    }
  }
  $markProgress.set(null);
  revalidate('appointments');
  const failed = shown.length - marked.length;
  if (failed > 0) {
    const title = `${pluralize(failed, 'appointment')} ${failed === 1 ? 'was' : 'were'} not marked.`;
    showFailureToast(lastError, title);
  }
  return marked;
}

async function undoMark(marked: Appointment, markBefore: Mark): Promise<void> {
  if ((await tryMark(marked, markBefore)) !== null)
    showSuccessToast('Undone.', `The appointment of ${nameOf(marked)} is as it was before.`);
}

/** Returns the marked appointment; null after an error, which is shown. */
async function tryMark(shown: Appointment, status: Mark): Promise<Appointment | null> {
  try {
    return await sendChanges(shown, { status });
  } catch (error) {
    // `reloadIfChanged` has shown a `ChangedElsewhere` already.
    if (!(error instanceof ChangedElsewhere)) showFailureToast(error, 'Not marked.');
    return null;
  }
}

function nameOf({ client: { first_name, last_name, email } }: Appointment): string {
  return [first_name, last_name].filter(Boolean).join(' ') || email || 'the client';
}

function formatMarked(shown: Appointment, mark: Mark): string {
  const name = nameOf(shown);
  if (mark === 'completed') return `The appointment of ${name} is marked as completed.`;
  if (mark === 'no_show') return `It is noted that ${name} did not come.`;
  return `The appointment of ${name} is booked again.`;
}

/** Deletes an appointment and closes it; shows success or the error. */
export async function removeAppointment(shown: Appointment): Promise<void> {
  try {
    await callAsArtist(endpoints.deleteAppointment, { path: { appt_id: shown.id } });
    showSuccessToast('Deleted.', 'The appointment is gone.');
    openAppointment(null);
    // Reload only the list: the query of the deleted appointment would fail.
    revalidate(['appointments', 'list']);
  } catch (error) {
    if (!(await reloadIfChanged(shown, error))) showFailureToast(error, 'Not deleted.');
  }
}

/** Sends changes; details that are left out stay. @throws ChangedElsewhere, which is shown; else the API's error */
export async function sendChanges(
  shown: Appointment,
  changes: AppointmentChanges,
): Promise<Appointment> {
  try {
    const { id, version } = shown;
    const path = { appt_id: id };
    const body = { ...changes, version };
    const changed = await callAsArtist(endpoints.changeAppointment, { path, body });
    closeToast(undoToastIds.get(id));
    applyUpdate(changed);
    return changed;
  } catch (error) {
    throw (await reloadIfChanged(shown, error)) ?? error;
  }
}

/** Shows the changed appointment, and reloads every query that may contain it. */
export function applyUpdate(appointment: Appointment): void {
  $changedAppointments.setKey(appointment.id, appointment);
  if ($openAppointmentId.get() === appointment.id) $openAppointment.mutate(appointment);
  // Most changes send a mail, so the list of mails changes too.
  revalidate('appointments', 'mails');
}

/** After a conflict, shows the appointment as it is now. @returns the error if it was changed elsewhere; else null */
async function reloadIfChanged(
  shown: Appointment,
  error: unknown,
): Promise<ChangedElsewhere | null> {
  if (!isConflict(error)) return null;
  try {
    const [current, lastChange] = await Promise.all([
      callAsArtist(endpoints.fetchAppointment, { path: { appt_id: shown.id } }),
      // Without its last change, the error still says enough.
      describeLastChange(shown).catch(() => null),
    ]);
    applyUpdate(current);
    // An offer that expires gets another status without a new version.
    if (current.version === shown.version && current.status === shown.status) return null;
    const changed = new ChangedElsewhere(lastChange);
    // A toast, because a form may close when the appointment's status is another one now.
    showFailureToast(changed, 'Not saved.');
    return changed;
  } catch {
    // The appointment could not be loaded: the caller reports the conflict.
    return null;
  }
}

/** The last event of an appointment as a sentence without the full stop; null if there is none. */
async function describeLastChange({ id, client }: Appointment): Promise<string | null> {
  const zone = $me.get().data?.studio;
  if (zone === undefined) return null;
  const { data } = await callAsArtist(endpoints.listAppointmentEvents, { path: { appt_id: id } });
  const last = data.at(-1);
  return last ? formatHistoryEvent(last, { artist: 'You', client: client.first_name }, zone) : null;
}

/** Whether the API has answered 409: the change does not fit the present data. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409;
}

async function fetchList(
  filter: AppointmentFilter,
  { search, skip }: Pick<UrlState, 'search' | 'skip'>,
): Promise<ListPage<Appointment>> {
  const limit = APPOINTMENTS_PER_PAGE;
  if (filter !== 'waiting')
    return fetchAppointments({ ...FILTER_QUERIES[filter], search, skip, limit });
  // Offers and held times expire soon, so there are few: one API page holds each list.
  const lists = await Promise.all(
    (['offered', 'held'] as const).map((status) =>
      fetchAppointments({ status, search, order: 'soonest', limit: MAX_PAGE_SIZE }),
    ),
  );
  const waiting = lists.flatMap(({ data }) => data).toSorted(byStart);
  return { data: waiting.slice(skip, skip + limit), count: waiting.length };
}

/** Shows another view of the page, and writes it to the URL and the history. */
function navigate(
  changes: Partial<UrlState>,
  method: 'pushState' | 'replaceState' = 'pushState',
): void {
  $urlState.set({ ...$urlState.get(), ...changes });
  history[method](null, '', toUrl($urlState.get()));
}

function toUrl({ filter, search, skip, openId }: UrlState): string {
  return pageUrl('/studio/appointments', { show: filter, search, skip, id: openId });
}

function parseUrlState(query: string): UrlState {
  const params = new URLSearchParams(query);
  return {
    ...parseListView(params),
    filter: APPOINTMENT_FILTERS.find((filter) => filter === params.get('show')) ?? null,
    openId: params.get('id') || null,
  };
}
