// Appointments at another clock time than agreed, because their zone has new rules: the artist's answer, and Undo.
import { serverNow } from '#client/server_clock.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { ListPage } from '#contract/common.ts';
import { answerTimeChanges, listTimeChanges, undoTimeChanges } from '#contract/endpoints.ts';
import type { TimeChange } from '#contract/time_changes.ts';
import { MAILED_UNDO_MS } from '#domain/mail/mail.ts';
import { MAX_PAGE_SIZE, MAX_TIME_CHANGES } from '#domain/requests/list_limits.ts';
import type { ZoneChangeMode } from '#domain/studio/studio_change.ts';
import { toWallInstant } from '#domain/studio/studio_time.ts';
import { pluralize } from '#domain/time/duration.ts';
import { type Instant, MINUTE_MS } from '#domain/time/time.ts';
import { type StudioZone, zoneOf } from '#domain/time/zone_offsets.ts';
import { $token, callAsArtist } from '../session.ts';
import { closeToast, showErrorToast, showSuccessToast } from '../toasts.ts';
import { attempt, createQuery, fetchAllPages } from './queries.ts';

const fetchPage = (page: { skip: number; limit: number }) =>
  callAsArtist(listTimeChanges, { query: page });

/** Loads all appointments at another clock time than agreed, the soonest first. @throws ApiError */
export const fetchAllTimeChanges = () => fetchAllPages(fetchPage);

/** Whether a client can be mailed about another clock time: with an email, and once it is booked. */
export function canMailClient(booked: Pick<Appointment, 'status' | 'client'>): boolean {
  return booked.status === 'confirmed' && booked.client.email !== null;
}

/** The first page of appointments at another clock time than agreed, and how many there are. */
export const $timeChanges = createQuery(['appointments', 'time_changes'], () =>
  fetchPage({ skip: 0, limit: MAX_PAGE_SIZE }),
);

/** How many minutes later than agreed the studio's clocks show the start; negative: earlier. */
export function minutesLater({ start, agreed, offsets }: TimeChange, studio: StudioZone): number {
  if (start === null) return 0;
  const shown = toWallInstant(zoneOf(studio, { offsets }), Date.parse(start));
  return (shown - Date.parse(`${agreed.local}Z`)) / MINUTE_MS;
}

/**
 * Says which times the appointments keep: all of them, or the first `MAX_TIME_CHANGES`. Shows success with Undo, or
 * the error.
 * @param seen the first page. If it is not all, all are loaded again. Otherwise the API refuses the answer when one
 *   of them has changed since
 */
export function answerAll(
  seen: ListPage<TimeChange>,
  keep: ZoneChangeMode,
  mailsClients: boolean,
): Promise<boolean> {
  return attempt('Nothing was changed.', ['appointments'], async () => {
    const { data, count } = seen;
    const all = count > data.length ? await fetchAllTimeChanges() : data;
    const ids = all.slice(0, MAX_TIME_CHANGES).map(({ id, version }) => ({ id, version }));
    const left = await callAsArtist(answerTimeChanges, {
      body: { keep, ids, tell_clients: mailsClients },
    });
    const passed = `Of ${pluralize(left.count, 'appointment')} the agreed time has passed.`;
    if (left.count === all.length) {
      showErrorToast('Nothing was changed.', passed);
      return;
    }
    const saved: string[] = [];
    if (all.length > ids.length)
      saved.push(
        `The first ${ids.length.toLocaleString('en-US')} are saved. Answer for the others next.`,
      );
    else if (left.count > 0) saved.push(passed);
    if (keep === 'clock_times') saved.push('The clock times are as agreed.');
    else saved.push('The clock times are those that are shown now.');
    const hasMails = mailsClients && all.some(canMailClient);
    showSavedWithUndo(saved.join(' '), hasMails, (mails) => void undo(mails));
  });
}

function undo(mails: string): Promise<boolean> {
  return attempt('Not undone.', ['appointments'], async () => {
    await callAsArtist(undoTimeChanges);
    showSuccessToast(
      'Undone.',
      `The appointments are as before. Those that were moved, confirmed or cancelled since stay as they are. ${mails}`,
    );
  });
}

/** The artist's last change of the studio, or last answer about clock rules. The API undoes only the last one. */
interface LastChange {
  /** The login of the artist who made it. */
  readonly token: string | undefined;
  readonly toastId: number;
  /** Until when its mails wait, and those of an earlier change that they replace; 0 without mails. */
  readonly mailsWaitUntil: Instant;
}
let lastChange: LastChange | null = null;

/**
 * Says that a change is saved and whether clients are mailed, and offers Undo in place of an earlier one.
 * @param text names the saved change
 * @param undo undoes the change, and ends its toast with the sentence `mails`
 */
export function showSavedWithUndo(
  text: string,
  mailsClients: boolean,
  undo: (mails: string) => void,
): void {
  const now = serverNow();
  const token = $token.get();
  const earlier = lastChange?.token === token ? lastChange : null;
  // The new mails replace those that still wait; an Undo sends the earlier ones instead.
  const replacesMails = earlier !== null && earlier.mailsWaitUntil > now;
  closeToast(earlier?.toastId);
  const hasMails = mailsClients || replacesMails;
  const mails = hasMails ? 'The mails go out in a minute.' : 'No client is mailed.';
  const run = () => {
    lastChange = null;
    undo(replacesMails ? 'The mails of the change before go out.' : 'No client is mailed.');
  };
  const toastId = showSuccessToast('Saved.', `${text} ${mails}`, { label: 'Undo', run });
  lastChange = { token, toastId, mailsWaitUntil: hasMails ? now + MAILED_UNDO_MS : 0 };
}
