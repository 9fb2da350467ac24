// A new address or time zone of the studio: the question before it is saved, and Undo after it.
import { serverNow } from '#client/server_clock.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist, Studio } from '#contract/artist.ts';
import { changeMe, fetchOtherZone, undoStudioChange } from '#contract/endpoints.ts';
import type { StudioAddress } from '#domain/appointments/calendar_event.ts';
import { sameClockStart } from '#domain/studio/agreed_time.ts';
import {
  compareStudios,
  type StudioChange,
  type ZoneChangeMode,
} from '#domain/studio/studio_change.ts';
import type { Instant } from '#domain/time/time.ts';
import { type StudioZone, zoneOf } from '#domain/time/zone_offsets.ts';
import { callAsArtist } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { applyMe } from './me.ts';
import { fetchUpcomingAppointments } from './profile.ts';
import { attempt, revalidate } from './queries.ts';
import { canMailClient, fetchAllTimeChanges, showSavedWithUndo } from './time_changes.ts';

/** A studio as its form has it: without the offsets, which only the API knows. */
type StudioForm = Omit<Studio, 'offsets'>;

/** An appointment that a change of the studio affects, with its start. */
interface AffectedAppointment {
  readonly client: Appointment['client'];
  readonly start: Instant;
  readonly zone: StudioZone;
  /** The agreed clock time of the start, if new clock rules make clocks show another one; else undefined. */
  readonly agreed: string | undefined;
  /** Whether its client can be mailed about the change. */
  readonly isMailed: boolean;
}

/** A question to the artist before a new address or time zone is saved. */
export interface StudioQuestion {
  readonly change: StudioChange;
  readonly to: StudioZone;
  /** The name and the address after the change. */
  readonly studio: StudioAddress;
  /** The upcoming ones, soonest first. */
  readonly appointments: readonly AffectedAppointment[];
  readonly now: Instant;
}

export interface StudioAnswer {
  readonly tell_clients: boolean;
  readonly keep: ZoneChangeMode;
}

/** Finds the question to ask before a studio is saved; null when the change affects no client. @throws ApiError */
export async function loadStudioQuestion(
  { studio }: CurrentArtist,
  wanted: StudioForm,
): Promise<StudioQuestion | null> {
  const change = compareStudios(studio, wanted);
  if (!change.hasNewAddress && !change.hasNewZone) return null;
  const now = serverNow();
  const [upcoming, timeChanges] = await Promise.all([
    fetchUpcomingAppointments(),
    change.hasNewZone ? fetchAllTimeChanges() : [],
  ]);
  const agreedById = new Map(timeChanges.map(({ id, agreed }) => [id, agreed.local]));
  const appointments = upcoming.flatMap((appointment): AffectedAppointment[] => {
    const { id, client, start } = appointment;
    if (start === null) return [];
    const zone = zoneOf(studio, appointment);
    const isMailed = canMailClient(appointment);
    return [{ client, start: Date.parse(start), zone, agreed: agreedById.get(id), isMailed }];
  });
  const { time_zone } = wanted;
  const to = change.hasNewZone
    ? await callAsArtist(fetchOtherZone, { query: { time_zone } })
    : studio;
  const question = { change, to, studio: wanted, appointments, now };
  // A new zone affects each appointment; a new address only clients who can be told of it.
  const hasClients = change.hasNewZone
    ? appointments.length > 0
    : countMails(question, 'moments').clients > 0;
  return hasClients ? question : null;
}

/** When an appointment begins once the change is saved. */
export function startAfter(
  { to }: Pick<StudioQuestion, 'to'>,
  { start, agreed, zone }: AffectedAppointment,
  keep: ZoneChangeMode,
): Instant {
  return keep === 'moments' ? start : sameClockStart(start, agreed, zone, to);
}

/** How many mails are sent, and to how many clients, if the artist tells clients of the change. */
export function countMails(
  question: StudioQuestion,
  keep: ZoneChangeMode,
): { readonly mails: number; readonly clients: number } {
  const mailed = question.appointments.filter(
    (one) => one.isMailed && startAfter(question, one, keep) > question.now,
  );
  const emails = new Set(mailed.map(({ client }) => client.email?.toLowerCase()));
  return { mails: mailed.length, clients: emails.size };
}

/** How many appointments that are ahead now would have begun already, once the change is saved. */
export function countBegun(question: StudioQuestion, keep: ZoneChangeMode): number {
  return question.appointments.filter(
    (one) => one.start > question.now && startAfter(question, one, keep) <= question.now,
  ).length;
}

/**
 * Saves the studio, and offers Undo.
 * @param answer null when there was nothing to ask: then without Undo.
 * @throws ApiError
 */
export async function saveStudio(
  studio: StudioForm,
  answer: StudioAnswer | null,
): Promise<CurrentArtist> {
  const me = await callAsArtist(changeMe, { body: { studio, ...answer } });
  applyMe(me);
  revalidate('appointments');
  const saved = 'Your page shows the studio as it is now.';
  if (answer === null) showSuccessToast('Saved.', saved);
  else showSavedWithUndo(saved, answer.tell_clients, (mails) => void undoStudio(mails));
  return me;
}

function undoStudio(mails: string): Promise<boolean> {
  return attempt('The change of your studio stays.', ['me', 'appointments'], async () => {
    applyMe(await callAsArtist(undoStudioChange));
    showSuccessToast(
      'Undone.',
      `Your studio is as it was before. Times that were set or confirmed since stay. ${mails}`,
    );
  });
}
