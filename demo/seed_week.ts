/** Writes the bookings and messages of the demo artists (`demo_week.ts`) into the database. */
import { randomUUID } from 'node:crypto';
import type {
  Actor,
  AppointmentEventKind,
  AppointmentStatus,
} from '#domain/appointments/appointment.ts';
import { depositOfBooking } from '#domain/booking/booking_price.ts';
import type { Schedule } from '#domain/booking/schedule.ts';
import { addDays, type LocalDate, weekdayOf } from '#domain/time/calendar_date.ts';
import { localDateAt } from '#domain/time/format_time.ts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '#domain/time/time.ts';
import { resolveWallTime } from '#domain/time/wall_clock.ts';
import {
  insertAppointmentEvents,
  type NewAppointmentEvent,
} from '#server/database/appointment_events.ts';
import { reserveTime } from '#server/database/appointment_times.ts';
import { updateArtist, updateSchedule } from '#server/database/artists.ts';
import { upsertClient } from '#server/database/clients.ts';
import type { Transaction } from '#server/database/connect.ts';
import { insertMessage } from '#server/operations/clients/messages.ts';
import {
  DEMO_APPOINTMENTS,
  DEMO_MESSAGES,
  DEMO_TERMS,
  type DemoAppointment,
  type DemoTerms,
  ON_REQUEST,
} from './demo_week.ts';

/** An artist who is in the database. */
interface SeededArtist {
  readonly id: string;
  readonly username: string;
  readonly studioId: string;
  /** The studio's time zone. */
  readonly zone: string;
  readonly schedule: Pick<Schedule, 'weekly' | 'buffer_minutes'>;
}

/** All that adding an appointment needs. */
interface SeededWeek {
  readonly transaction: Transaction;
  readonly artist: SeededArtist;
  readonly terms: DemoTerms | undefined;
  /** By project: the id of its first appointment, which is the id of the project. */
  readonly firstSessions: Map<string, string>;
  /** The time of the first start, from which all days and hours are counted. */
  readonly now: Instant;
}

/** Adds prices, appointments in every state, clients with a history and messages. */
export async function seedDemoWeek(
  transaction: Transaction,
  artist: SeededArtist,
  now: Instant,
): Promise<void> {
  const { id: artistId, username } = artist;
  const terms = DEMO_TERMS[username];
  if (terms) await setTerms(transaction, artistId, terms);
  const week = { transaction, artist, terms, firstSessions: new Map<string, string>(), now };
  for (const appointment of DEMO_APPOINTMENTS[username] ?? [])
    await addAppointment(week, appointment);
  for (const { client, text, hoursAgo, isRead } of DEMO_MESSAGES[username] ?? []) {
    const created_at = new Date(now - hoursAgo * HOUR_MS);
    await insertMessage(transaction, {
      artist_id: artistId,
      name: `${client.first_name} ${client.last_name}`,
      email: client.email,
      message: text,
      created_at,
      read_at: isRead ? created_at : null,
    });
  }
}

async function setTerms(
  transaction: Transaction,
  artistId: string,
  terms: DemoTerms,
): Promise<void> {
  await updateArtist(transaction, artistId, {
    booking_policy: terms.policy,
    deposit: terms.deposit,
  });
  await updateSchedule(transaction, artistId, { client_move_notice_hours: terms.moveNoticeHours });
  for (const [name, price] of Object.entries(terms.services))
    await transaction
      .updateTable('services')
      .set({ price })
      .where('artist_id', '=', artistId)
      .where('name', '=', name)
      .execute();
  for (const [name, facts] of Object.entries(terms.designs)) {
    const [width, height] = facts.size ?? [null, null];
    await transaction
      .updateTable('designs')
      .set({
        price: facts.price ?? ON_REQUEST,
        duration_minutes: facts.length ?? null,
        width_mm: width,
        height_mm: height,
        placements: [...(facts.placements ?? [])],
        color: facts.color ?? null,
        editions: facts.editions ?? null,
      })
      .where('artist_id', '=', artistId)
      .where('name', '=', name)
      .execute();
  }
}

type DemoEvent = readonly [Actor, AppointmentEventKind, AppointmentStatus];

const CONFIRMED: DemoEvent = ['client', 'confirmed', 'confirmed'];

/** By status: the events after the one that created the appointment, in their order. */
const LATER_EVENTS: Readonly<Record<AppointmentStatus, readonly DemoEvent[]>> = {
  requested: [],
  held: [],
  offered: [['artist', 'offered', 'offered']],
  declined: [['artist', 'declined', 'declined']],
  expired: [['system', 'expired', 'expired']],
  confirmed: [CONFIRMED],
  cancelled: [CONFIRMED, ['client', 'cancelled', 'cancelled']],
  completed: [CONFIRMED, ['artist', 'completed', 'completed']],
  no_show: [CONFIRMED, ['artist', 'no_show', 'no_show']],
};
/** Appointments in these statuses began as requests, the others as holds. */
const BEGAN_AS_REQUESTS: readonly AppointmentStatus[] = ['requested', 'offered', 'declined'];

async function addAppointment(week: SeededWeek, appointment: DemoAppointment): Promise<void> {
  const { transaction, artist, terms, firstSessions, now } = week;
  const { client, status, day, at, minutes = 60, project } = appointment;
  const date = findOpenDate(artist, day, now);
  const start = at === undefined ? null : toInstant(artist.zone, date, at);
  const end = start === null ? null : start + minutes * MINUTE_MS;
  const { notes, ...details } = client;
  const contact = { phone_number: null, pronouns: null, preferred_contact: null, ...details };
  const clientId = await upsertClient(transaction, { ...contact, notes, artist_id: artist.id });
  // Clients book some days ahead. An appointment that waits for an answer was booked today.
  const waits = status === 'held' || status === 'requested' || status === 'offered';
  const bookedAt = waits ? now - 2 * HOUR_MS : Math.min(now, start ?? now) - 9 * DAY_MS;
  const id = randomUUID();
  if (project !== undefined && !firstSessions.has(project)) firstSessions.set(project, id);
  const row = {
    ...contact,
    // So that no reminder is mailed to people who do not exist.
    email: null,
    id,
    artist_id: artist.id,
    studio_id: artist.studioId,
    client_id: clientId,
    service_id: await findId(transaction, 'services', artist.id, appointment.service),
    design_id: await findId(transaction, 'designs', artist.id, appointment.design),
    status,
    version: 1 + LATER_EVENTS[status].filter(([actor]) => actor !== 'system').length,
    location: appointment.location ?? null,
    size: appointment.size ?? null,
    customer_notes: appointment.wishes ?? null,
    price: appointment.price ?? null,
    booking_policy: terms?.policy ?? null,
    deposit: depositOfBooking(appointment.price ?? null, terms?.deposit ?? null),
    private_notes: appointment.privateNotes ?? null,
    project_id: project === undefined ? null : (firstSessions.get(project) ?? null),
    email_proven: true,
    counts_for_limits: false,
    created_at: new Date(bookedAt),
    counted_at: new Date(bookedAt),
  };
  await transaction.insertInto('appointments').values(row).execute();
  await insertAppointmentEvents(transaction, listEvents(row, bookedAt, start, end));
  if (start !== null && end !== null)
    await reserveTime(transaction, {
      appointmentId: id,
      artistId: artist.id,
      studioId: artist.studioId,
      zone: artist.zone,
      start,
      end,
      blockedUntil: end + artist.schedule.buffer_minutes * MINUTE_MS,
      isReserved: status === 'held' || status === 'offered' || status === 'confirmed',
      expiresAt: deadlineOf(status, start, now),
    });
  const received_on = day < 0 ? date : localDateAt(artist.zone, bookedAt);
  for (const [amount, method] of appointment.paid ?? []) {
    const money = { amount, currency: 'USD', method, received_on };
    const payment = { artist_id: artist.id, appointment_id: id, ...money };
    await transaction.insertInto('payments_received').values(payment).execute();
  }
}

/** The history of an appointment: booked at `bookedAt`, and an event an hour until it has its status. */
function listEvents(
  { id, status }: { id: string; status: AppointmentStatus },
  bookedAt: Instant,
  start: Instant | null,
  end: Instant | null,
): NewAppointmentEvent[] {
  let current: AppointmentStatus = BEGAN_AS_REQUESTS.includes(status) ? 'requested' : 'held';
  const events: NewAppointmentEvent[] = [
    {
      appointmentId: id,
      actor: 'client',
      what: current,
      at: bookedAt,
      fromStatus: null,
      toStatus: current,
      fromStart: null,
      toStart: current === 'held' ? start : null,
    },
  ];
  for (const [actor, what, toStatus] of LATER_EVENTS[status]) {
    // The artist marks at the end of an appointment whether the client came.
    const isMarked = toStatus === 'completed' || toStatus === 'no_show';
    events.push({
      appointmentId: id,
      actor,
      what,
      at: isMarked && end !== null ? end : bookedAt + events.length * HOUR_MS,
      fromStatus: current,
      toStatus,
      fromStart: what === 'offered' ? null : start,
      toStart: start,
    });
    current = toStatus;
  }
  return events;
}

/** Until when the client must confirm; null if there is nothing to confirm. */
function deadlineOf(status: AppointmentStatus, start: Instant, now: Instant): Instant | null {
  if (status === 'held') return Math.min(start, now + 30 * MINUTE_MS);
  return status === 'offered' ? Math.min(start, now + 70 * HOUR_MS) : null;
}

/** The nth date on which the studio is open, counted from today; 0 is today. */
function findOpenDate({ zone, schedule }: SeededArtist, nth: number, now: Instant): LocalDate {
  const openWeekdays = schedule.weekly.map(({ weekday }) => weekday);
  let date = localDateAt(zone, now);
  for (let left = Math.abs(nth); left > 0; ) {
    date = addDays(date, Math.sign(nth));
    if (openWeekdays.includes(weekdayOf(date))) left -= 1;
  }
  return date;
}

function toInstant(zone: string, date: LocalDate, at: string): Instant {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  return resolveWallTime(zone, date, hours * 60 + minutes).instant;
}

async function findId(
  transaction: Transaction,
  table: 'services' | 'designs',
  artistId: string,
  name: string | undefined,
): Promise<string | null> {
  if (name === undefined) return null;
  const { id } = await transaction
    .selectFrom(table)
    .select('id')
    .where('artist_id', '=', artistId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return id;
}
