/** Converts appointments to the API's form, for the artist and for clients. */
import type { Appointment, AppointmentEvent, Confirmation } from '#contract/appointment.ts';
import type { AskedData } from '#contract/data_request.ts';
import type { Design } from '#contract/design.ts';
import type { Service } from '#contract/service.ts';
import {
  type AppointmentEventKind,
  type AppointmentStatus,
  type ClientAction,
  type ClientDeadlines,
  isConfirmed,
  statusAt,
  TRANSITIONS,
} from '#domain/appointments/appointment.ts';
import { toSlot } from '#domain/booking/availability.ts';
import { clientDetailsOf } from '#domain/clients/client_details.ts';
import { waitingEmail } from '#domain/clients/client_email.ts';
import { type DataRequest, isCurrent } from '#domain/clients/data_request.ts';
import { toEmailHint } from '#domain/mail/mailbox.ts';
import { offsetsRange } from '#domain/studio/studio_time.ts';
import { type Instant, MINUTE_MS, toRfc3339 } from '#domain/time/time.ts';
import type { AppointmentEventRow } from '#server/database/appointment_events.ts';
import {
  type AppointmentRow,
  type ClientAppointmentRow,
  toAppointmentState,
  toAppointmentTime,
} from '#server/database/appointments.ts';
import type { ImageStore } from '#server/images/image_store.ts';
import { toDesign } from '../catalogue/designs.ts';
import { toService } from '../catalogue/services.ts';
import { offsetsOf, type PossibleInstant, toStudioWithOffsets } from '../to_studio.ts';

/** Events that the client's history leaves out, because they concern only the artist. */
const ARTIST_EVENTS: readonly AppointmentEventKind[] = ['completed', 'no_show', 'reopened'];

/** The actions that the client may take at `now`, and their deadlines. */
interface ClientPermissions extends ClientDeadlines {
  readonly can: readonly ClientAction[];
}

/** Converts for clients, without contact data: anyone who knows `row.id` can read the result. */
export function toConfirmation(
  images: ImageStore,
  row: ClientAppointmentRow,
  { can, cancelUntil, moveUntil }: ClientPermissions,
  now: Instant,
): Confirmation {
  const { times, events, data_erased_at } = row;
  const shared = toSharedFields(images, row, now);
  const newEmail = can.includes('change_email') ? waitingEmail(row.email_change, row.email) : null;
  // Only for a client who has proven the email of the record: anyone can book with any email.
  const asked = row.is_proven_client ? row.data_requests.filter((one) => isCurrent(one, now)) : [];
  // The page also lists free times, whose offsets it needs.
  const covered = offsetsRange(row.time_zone, now);
  return {
    ...shared,
    times: waitsForClient(shared.status)
      ? times.map(({ id, ...time }) => ({ id, ...toSlot(time) }))
      : [],
    history: events
      .filter(({ what }) => !ARTIST_EVENTS.includes(what))
      .map(({ at, actor, what, start }) => ({
        at: toRfc3339(at),
        by: actor,
        what,
        start: toRfc3339OrNull(start),
      })),
    can: [...can],
    data_requests: asked.map(toAskedData),
    data_erased_at: toRfc3339OrNull(data_erased_at?.getTime()),
    cancel_until: toRfc3339OrNull(cancelUntil),
    move_until: toRfc3339OrNull(moveUntil),
    must_prove_email: row.must_prove_email && !row.email_proven,
    email_hint: row.email && toEmailHint(row.email),
    new_email_hint: newEmail && toEmailHint(newEmail),
    new_email_asked_at: newEmail && (row.email_change?.askedAt ?? null),
    client: { first_name: row.first_name },
    user: {
      username: row.username,
      full_name: row.full_name,
      studio: toStudioWithOffsets(row, [
        covered.start,
        covered.end,
        ...instantsOf(row),
        cancelUntil,
        moveUntil,
        ...times.flatMap((time) => [time.start, time.end]),
        ...events.flatMap(({ at, start }) => [at, start]),
        ...asked.map(({ askedAt }) => askedAt),
        data_erased_at?.getTime(),
      ]),
    },
  };
}

/** Converts for the artist. */
export function toAppointment(images: ImageStore, row: AppointmentRow, now: Instant): Appointment {
  const shared = toSharedFields(images, row, now);
  return {
    ...shared,
    // Includes the buffer: the artist's break after the appointment.
    blocked_until:
      shared.start === null || row.blocked_until === null
        ? null
        : toInclusiveEnd(row.blocked_until.getTime()),
    client: { id: row.client_id, ...clientDetailsOf(row) },
    ended_offer: toEndedOffer(row, shared.status),
    private_notes: row.private_notes ?? '',
    private_version: row.private_version,
    project_id: row.project_id,
    keeps_edition: row.keeps_edition,
    payments: row.payments,
    created_at: toRfc3339(row.created_at.getTime()),
    // Until the next month, which covers the history, too. Equal answers stay equal until then.
    offsets: offsetsOf(row.time_zone, [
      offsetsRange(row.time_zone, now).isNewAt,
      ...instantsOf(row),
    ]),
  };
}

/** The instants of an appointment that are in its row. */
function instantsOf(row: AppointmentRow): readonly PossibleInstant[] {
  const { created_at, start, end, blocked_until, expires_at, ended_offer } = row;
  const dates = [created_at, start, end, blocked_until, expires_at];
  return [...dates.map((date) => date?.getTime()), ended_offer?.start];
}

/** The fields that both the artist and the client see. */
function toSharedFields(images: ImageStore, row: AppointmentRow, now: Instant) {
  const { id, version, email_proven, location, size, customer_notes, price, deposit } = row;
  const timeAndStatus = toTimeAndStatus(row, now);
  const { status } = timeAndStatus;
  return {
    id,
    ...timeAndStatus,
    version,
    lapses_at: waitsForClient(status) ? toDeadline(row, now) : null,
    email_proven,
    service: toBookedService(row),
    design: toBookedDesign(images, row),
    location,
    size,
    customer_notes,
    // The note of an offer ends with it.
    note: status === 'requested' ? null : row.artist_note,
    // The price, deposit and policy are as agreed when it was booked.
    price,
    deposit,
    booking_policy: row.booking_policy ?? '',
  };
}

/** Whether an appointment in this status is a hold or an offer, which its client must still confirm. */
function waitsForClient(status: AppointmentStatus): boolean {
  return status === 'held' || status === 'offered';
}

/** Converts the history for the artist. Adds the event of a passed deadline that is not stored yet. */
export function toHistory(
  row: AppointmentRow,
  events: readonly AppointmentEventRow[],
  now: Instant,
): AppointmentEvent[] {
  const history = events.map(toAppointmentEvent);
  const appointment = toAppointmentState(row);
  const { time } = appointment;
  const status = statusAt(appointment, now);
  if (status === row.status || time === null || time.expiresAt === null) return history;
  const start = toRfc3339(time.start);
  const { event: what } = TRANSITIONS.system[status === 'expired' ? 'expire' : 'expire_offer'];
  history.push({
    at: toRfc3339(time.expiresAt),
    by: 'system',
    what,
    from_status: row.status,
    to_status: status,
    from_start: start,
    to_start: status === 'expired' ? start : null,
    note: null,
  });
  return history;
}

export function toAppointmentEvent(row: AppointmentEventRow): AppointmentEvent {
  const { actor, what, happened_at, from_status, to_status, from_start, to_start, note } = row;
  return {
    at: toRfc3339(happened_at.getTime()),
    by: actor,
    what,
    from_status,
    to_status,
    from_start: toRfc3339OrNull(from_start?.getTime()),
    to_start: toRfc3339OrNull(to_start?.getTime()),
    note,
  };
}

/** The end of the last offer; null unless the request is open again after it. */
function toEndedOffer(row: AppointmentRow, status: AppointmentStatus): Appointment['ended_offer'] {
  if (status !== 'requested') return null;
  // The deadline has passed, which is not stored yet.
  if (row.status === 'offered')
    return { what: 'offer_lapsed', start: toRfc3339OrNull(row.start?.getTime()), note: null };
  if (row.ended_offer === null) return null;
  const { what, start, note } = row.ended_offer;
  return { what, start: toRfc3339OrNull(start), note };
}

/** The deadline to confirm a reserved time; null without one, and when it has passed. */
function toDeadline(row: AppointmentRow, now: Instant): string | null {
  const expiresAt = row.occupies ? toAppointmentTime(row)?.expiresAt : null;
  return expiresAt && expiresAt > now ? toRfc3339(expiresAt) : null;
}

/** `start` and `end` are null for a request, and if the appointment has never had a time. */
function toTimeAndStatus(row: AppointmentRow, now: Instant) {
  const appointment = toAppointmentState(row);
  const status = statusAt(appointment, now);
  // After the deadline of an offer, the request is open again and has no time.
  const time = status === 'requested' ? null : appointment.time;
  return {
    start: time && toRfc3339(time.start),
    end: time && toInclusiveEnd(time.end),
    confirmed: isConfirmed(status),
    status,
  };
}

/** Null for a field without an instant. */
function toRfc3339OrNull(instant: PossibleInstant): string | null {
  return typeof instant === 'number' ? toRfc3339(instant) : null;
}

/** An end in the API is the last minute of the appointment; in the database, the minute after. */
function toInclusiveEnd(exclusiveEnd: Instant): string {
  return toRfc3339(exclusiveEnd - MINUTE_MS);
}

/** Without a service, all of its columns are null. The compiler needs a check of each column. */
function toBookedService(row: AppointmentRow): Service | null {
  const { service_id: id, service_name: name, service_description: description } = row;
  const { duration_minutes, is_available, service_price: price } = row;
  if (id === null || name === null || description === null) return null;
  if (duration_minutes === null || is_available === null) return null;
  return toService({ id, name, description, duration_minutes, is_available, price });
}

function toBookedDesign(images: ImageStore, row: AppointmentRow): Design | null {
  const { design_id: id, design_name: name, design_description: description } = row;
  const { design_status: status, image_id, title, width, height, widths, formats } = row;
  if (id === null || name === null || description === null || status === null) return null;
  if (image_id === null || title === null || width === null || height === null) return null;
  if (widths === null || formats === null) return null;
  const image = { image_id, title, width, height, widths, formats, placeholder: row.placeholder };
  const facts = {
    price: row.design_price,
    duration_minutes: row.design_minutes,
    service_id: row.design_service_id,
    width_mm: row.width_mm,
    height_mm: row.height_mm,
    placements: row.placements ?? [],
    color: row.color,
    editions: row.editions,
    edition_use: row.edition_use,
  };
  return toDesign(images, { id, name, description, status, ...image, ...facts });
}

/** Converts a client's request about their data for the client, without its id. */
export function toAskedData({ kind, askedAt, doneAt }: DataRequest): AskedData {
  return {
    kind,
    asked_at: toRfc3339(askedAt),
    done_at: toRfc3339OrNull(doneAt),
  };
}
