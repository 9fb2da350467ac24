// Sets the times of appointments: enters an appointment, offers or moves a time, and undoes a move. The mail about
// a move waits until it can no longer be undone (docs/decisions, 0047).
import { atom, map } from 'nanostores';
import { ApiError, formatError } from '#client/call.ts';
import type { Appointment, AppointmentChanges, NewAppointment } from '#contract/appointment.ts';
import { createAppointment } from '#contract/endpoints.ts';
import type { TimeRange } from '#domain/booking/availability.ts';
import {
  resolveStudioTime,
  type StudioTime,
  toStudioMinutes,
  toStudioTime,
} from '#domain/studio/studio_time.ts';
import { MINUTE_MS } from '#domain/time/time.ts';
import { type StudioZone, zoneToEdit } from '#domain/time/zone_offsets.ts';
import { callAsArtist } from '../session.ts';
import { showSuccessToast, type ToastAction } from '../toasts.ts';
import { applyUpdate, isConflict, openAppointment, sendChanges } from './appointments.ts';
import { formatAppointmentTime, parseAppointmentTime, toApiRange } from './booked_appointments.ts';
import { $me } from './me.ts';
import { attempt, revalidate } from './queries.ts';

/**
 * Sets the time of an appointment, by the studio's clock.
 * @param shown the appointment as the artist sees it; the API refuses to change a newer version
 * @param note the note to the client in an offer; '' removes it; left out, it stays
 * @throws ApiError with a text for the artist, about the field `time` when the time is taken
 */
export async function saveAppointmentTime(
  shown: Appointment,
  time: StudioTime,
  note?: string,
): Promise<Appointment> {
  const studio = loadedZone();
  const booked = parseAppointmentTime(shown);
  if (booked === null) return sendTime(shown, toStudioMinutes(studio, time), null, note);
  const zone = zoneToEdit(studio, shown, booked.start);
  const before = toStudioTime(zone, booked);
  // Where the clocks go back, one clock time is two instants: an unchanged start stays the instant that it is.
  const range =
    before.date === time.date && before.time === time.time
      ? toApiRange({ start: booked.start, end: booked.start + time.minutes * MINUTE_MS })
      : toStudioMinutes(studio, time);
  return sendTime(shown, range, resolveStudioTime(zone, time), note);
}

/** The times that are being saved, by appointment; null for a first time, and for one that a change of clocks skips. */
export const $timesBeingSaved = map<Record<string, TimeRange | null>>({});

/** Sends the time `range`, and asks about a buffer in its way. `time` is the same time, for `$timesBeingSaved`. */
function sendTime(
  shown: Appointment,
  range: Pick<AppointmentChanges, 'start' | 'end'>,
  time: TimeRange | null,
  note: string | undefined,
): Promise<Appointment> {
  const changes = { ...range, ...(note !== undefined && { note }) };
  $timesBeingSaved.setKey(shown.id, time);
  return askAboutBuffer((answer) => sendChanges(shown, { ...changes, ...answer }))
    .catch(throwTimeFieldError)
    .finally(() => $timesBeingSaved.setKey(shown.id, undefined));
}

/** Call this function with the artist's answer whether a time may touch a buffer; null while nothing is asked. */
export const $bufferQuestion = atom<((isIgnored: boolean) => void) | null>(null);

/** Sends a time. If only a buffer is in the way, asks the artist, and sends it again after a yes. */
async function askAboutBuffer(
  send: (answer: { ignore_buffer?: true }) => Promise<Appointment>,
): Promise<Appointment> {
  try {
    return await send({});
  } catch (error) {
    if (!isConflict(error) || error.reason !== 'buffer_touched') throw error;
    const isIgnored = await new Promise<boolean>((answer) => $bufferQuestion.set(answer));
    $bufferQuestion.set(null);
    if (!isIgnored) throw error;
    return await send({ ignore_buffer: true });
  }
}

/** The studio's zone; until it is loaded, one without known offsets. */
function loadedZone(): StudioZone {
  return $me.get().data?.studio ?? { time_zone: '', offsets: [] };
}

/** Creates a confirmed appointment and opens it. @throws ApiError, about the field `time` when the time is taken */
export async function addAppointment(
  time: StudioTime,
  entry: Omit<NewAppointment, 'start' | 'end'>,
): Promise<void> {
  const body = { ...entry, ...toStudioMinutes(loadedZone(), time) };
  const appointment = await askAboutBuffer((answer) =>
    callAsArtist(createAppointment, { body: { ...body, ...answer } }),
  ).catch(throwTimeFieldError);
  showSuccessToast('Entered.', 'It is on your calendar, confirmed.');
  openAppointment(appointment.id);
  applyUpdate(appointment);
}

/** The button Undo for the toast of a move, in the studio's zone; null when the appointment had no time before. */
export function undoOfMove(
  before: Appointment,
  moved: Appointment,
  zone: StudioZone,
): ToastAction | null {
  const time = parseAppointmentTime(before);
  if (time === null) return null;
  // Only an offer gets its note together with its time.
  const note = before.status === 'offered' ? (before.note ?? '') : undefined;
  const moveBack = async () => {
    const restored = await sendTime(moved, toApiRange(time), time, note);
    const when = formatAppointmentTime(restored, zone);
    showSuccessToast('Moved back.', `It is where it was: ${when}. Nobody is mailed.`);
  };
  return { label: 'Undo', run: () => void attempt('Not saved.', ['appointments'], moveBack) };
}

/** Turns a conflict with another appointment into an error of the field `time`. @throws always */
function throwTimeFieldError(error: unknown): never {
  if (!isConflict(error)) throw error;
  revalidate('appointments');
  // Other conflicts are about the design, the client or the notes.
  if (error.reason !== 'time_taken' && error.reason !== 'buffer_touched') throw error;
  const msg =
    error.reason === 'buffer_touched'
      ? `${formatError(error)} Please pick another.`
      : 'Another appointment is in the way of that time. Please pick another.';
  throw new ApiError(422, error.statusText, [{ type: 'time_taken', loc: ['body', 'time'], msg }]);
}
