/**
 * What the design says of an appointment ("An appointment's life"), stated a second time: in memory,
 * one step after the other, without a database. It imports nothing from `src`, so that a test that
 * compares the two does not compare the code with itself.
 */

export const STATUSES = [
  'requested',
  'held',
  'offered',
  'confirmed',
  'declined',
  'expired',
  'cancelled',
  'completed',
  'no_show',
] as const;
export type Status = (typeof STATUSES)[number];

/**
 * The next status by action (rows) and present status (columns, as in `STATUSES`). `-`: refused;
 * `=`: its result stands already, so nothing changes.
 */
const LIFE = {
  //            requested held      offered   confirmed declined expired   cancelled completed no_show
  confirm: '-         confirmed confirmed =         -        confirmed -         =         =',
  release: '-         cancelled -         -         -        =         =         -         -',
  decline: '-         -         requested -         -        -         -         -         -',
  cancel: 'cancelled -         -         cancelled -        -         =         -         -',
  move: '-         -         -         confirmed -        -         -         -         -',
  change_email: 'requested held      offered   confirmed -        -         -         -         -',
  set_time: 'offered   held      offered   confirmed -        -         -         -         -',
  declined: 'declined  -         -         -         -        -         -         -         -',
  cancelled: 'cancelled cancelled cancelled cancelled -        -         -         -         -',
  completed:
    '-         -         -         completed -        -         -         -         completed',
  no_show: '-         -         -         no_show   -        -         -         no_show   -',
  confirmed:
    '-         -         -         -         -        -         -         confirmed confirmed',
};
/** The first six are the client's; then the artist's, by the status that they set. */
export type Action = keyof typeof LIFE;
export type ArtistStatus = 'declined' | 'cancelled' | 'completed' | 'no_show' | 'confirmed';

function nextStatus(action: Action, { status }: ModelAppointment): Status | '-' | '=' {
  const cell = LIFE[action].split(/ +/)[STATUSES.indexOf(status)];
  return cell === '=' ? cell : (STATUSES.find((name) => name === cell) ?? '-');
}

/** What the history says of each action. A time that is set for a request is an offer. */
const EVENTS: Record<Action, string> = {
  confirm: 'client confirmed',
  release: 'client released',
  decline: 'client offer_declined',
  cancel: 'client cancelled',
  move: 'client moved',
  change_email: 'client email_changed',
  set_time: 'artist moved',
  declined: 'artist declined',
  cancelled: 'artist cancelled',
  completed: 'artist completed',
  no_show: 'artist no_show',
  confirmed: 'artist reopened',
};

/** Every change that can happen, as `listTransitions` names them. */
export function everyTransition(): string[] {
  const changes = Object.entries(LIFE).flatMap(([action, row]) =>
    row.split(/ +/).flatMap((cell, index) => {
      if (cell === '-' || cell === '=') return [];
      const what = Object.entries(EVENTS).find(([name]) => name === action)?.[1];
      const name = cell === 'offered' && STATUSES[index] === 'requested' ? 'artist offered' : what;
      return [`${name} from ${STATUSES[index]}`];
    }),
  );
  const created = ['client requested', 'client held', 'artist entered'];
  const edited = STATUSES.map((status) => `artist edited from ${status}`);
  const lapsed = ['system expired from held', 'system offer_lapsed from offered'];
  const others = [...created.map((what) => `${what} from null`), ...edited, ...lapsed];
  return [...changes, ...others].toSorted();
}

/** What happened to appointments, such as `client confirmed from held`. */
export function listTransitions({ appointments }: ModelWorld): string[] {
  return appointments.flatMap(({ history }) =>
    history.map(({ by, what, from }) => `${by} ${what} from ${from}`),
  );
}

/** Whether the action would probably change something: by the table, and after the start if need be. */
export function isOpen(action: Action, appointment: ModelAppointment, now: number): boolean {
  const { isDeleted, time } = appointment;
  const marksAttendance = action === 'completed' || action === 'no_show';
  if (isDeleted || (marksAttendance && (time === null || time.start > now))) return false;
  return !['-', '='].includes(nextStatus(action, appointment));
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const HOLD_MS = 30 * MINUTE;
const OFFER_MS = 72 * HOUR;
/** How long after the request an expired hold can be confirmed. */
const LATE_CONFIRMATION_MS = 14 * DAY;
/** Clients can start at every quarter of an hour, so that data moved by quarters stays on the grid. */
export const GRID_MS = 15 * MINUTE;

/** The status and text of an answer; of a 422, the text of its first error. */
export interface Answer {
  readonly status: number;
  readonly detail: string;
}

function conflict(detail: string): Answer {
  return { status: 409, detail };
}

const NOT_FOUND: Answer = { status: 404, detail: 'Not found' };
const LOGGED_OUT: Answer = { status: 401, detail: 'Please log in' };
const IN_THE_PAST: Answer = { status: 422, detail: 'Must lie in the future' };
const END_DOES_NOT_FIT: Answer = {
  status: 422,
  detail: 'This service has changed. Please choose again.',
};
const TIME_TAKEN = conflict('That time is no longer available. Please pick another.');
const BUFFER_TOUCHED = conflict('That time leaves no buffer beside another appointment.');
const REOPENED_TIME_TAKEN = conflict(
  'Another appointment has taken a part of this time since, so this one cannot be booked again.',
);
const SERVICE_CHANGED = conflict('This service has changed. Please choose again.');
const SERVICE_GONE = conflict('This service is no longer available. Please choose again.');
const DESIGN_GONE = conflict('This design is no longer available.');
const WRONG_FLOW = conflict('This artist does not take this kind of booking.');
const NOT_TAKING = conflict('This artist is not taking bookings now.');
const KEY_REUSED = conflict(
  'This was already sent with other details. Please reload the page and try again.',
);
const NOT_ALLOWED_NOW = conflict(
  'This appointment has changed in the meantime and no longer allows that.',
);
const STALE_FOR_CLIENT = conflict(
  'This appointment has changed in the meantime. Please look at it once more.',
);
const STALE_FOR_ARTIST = conflict(
  'This appointment was changed elsewhere. Reload it and try again.',
);
const ALL_TAKEN = conflict(
  'This design is taken as often as it may be tattooed. Raise that number in the design, or choose another one.',
);
const NO_NOTE_YET: Answer = {
  status: 422,
  detail: 'A request has no note before its answer or its time',
};
const OFFER_ENDED = conflict('This offer has ended. Your request is still open.');
const NOT_BEGUN = conflict('This appointment has not begun yet.');
const CANCELLING_NOT_ALLOWED = conflict(
  'This appointment cannot be cancelled here. Please write to the artist.',
);
const MOVING_NOT_ALLOWED = conflict(
  'This appointment cannot be moved here. Please write to the artist.',
);
const TOO_LATE_TO_CANCEL = conflict(
  'It is too late to cancel this here. Please write to the artist.',
);
const TOO_LATE_TO_MOVE = conflict('It is too late to move this here. Please write to the artist.');
const TOO_MANY_EMAILS = conflict(
  'The email of this appointment was changed twice already. Please write to the artist.',
);
const NOT_DELETABLE = conflict('Only declined, expired and cancelled appointments can be deleted.');

export interface ModelService {
  id: string;
  minutes: number;
  isAvailable: boolean;
  isDeleted: boolean;
}

interface ModelDesign {
  id: string;
  status: 'available' | 'claimed' | 'hidden';
  /** How often it may be tattooed; null without limit. */
  editions: number | null;
  isDeleted: boolean;
}

export interface ModelArtist {
  readonly username: string;
  /** `service`: clients pick a time; `managed`: the artist sets it. */
  readonly kind: 'service' | 'managed';
  isActive: boolean;
  /** A deactivation ends all logins, also for the time after it. */
  isLoggedIn: boolean;
  /** Dates in UTC, the studio's zone, without opening hours; all others are open for 24 hours. */
  closedDates: string[];
  bufferMinutes: number;
  noticeMinutes: number;
  /** Null: clients may not. */
  cancelHours: number | null;
  moveHours: number | null;
  readonly services: readonly ModelService[];
  readonly designs: readonly ModelDesign[];
  readonly appointments: ModelAppointment[];
}

interface ModelTime {
  start: number;
  end: number;
  /** The end of the artist's buffer, as it was when the time was reserved or the next one released. */
  blockedUntil: number;
}

interface ModelEvent {
  readonly by: 'client' | 'artist' | 'system';
  readonly what: string;
  readonly from: Status | null;
  readonly to: Status;
  fromStart: number | null;
  toStart: number | null;
  /** The version after it. */
  readonly version: number;
  /** The kind of the mail to the client; null without one. */
  readonly mail: string | null;
}

export interface ModelAppointment {
  id: string;
  readonly artist: ModelArtist;
  status: Status;
  version: number;
  time: ModelTime | null;
  /** When the hold or the offer lapses. */
  deadline: number | null;
  email: string;
  /** The email in the request. */
  readonly requestedEmail: string;
  /** The artist's words to the client. */
  note: string | null;
  emailChanges: number;
  isSetByArtist: boolean;
  /** It is cancelled, and its design stays taken. */
  keepsEdition: boolean;
  isDeleted: boolean;
  readonly service: ModelService | null;
  design: ModelDesign | null;
  readonly key: string | null;
  requestedAt: number;
  /** The start in the request. It moves with the data, and not with the appointment. */
  requestedStart: number | null;
  readonly notes: string;
  readonly history: ModelEvent[];
}

export interface ModelWorld {
  readonly artists: readonly ModelArtist[];
  readonly appointments: ModelAppointment[];
}

/** How the API must answer: with one of these refusals, or with success, and what then changes. */
export type Judgement =
  | { readonly refusals: readonly Answer[] }
  /** The result stands already: success, and nothing changes. */
  | { readonly stands: ModelAppointment; readonly isEdited?: boolean }
  | { readonly apply: () => void };

/** `reasons`: each is a refusal, or not one. When several apply, the API may name any of them. */
function judge(reasons: readonly (Answer | false | null)[], apply: () => void): Judgement {
  const refusals = reasons.filter((reason) => reason !== null && reason !== false);
  return refusals.length > 0 ? { refusals } : { apply };
}

const refused = (answer: Answer): Judgement => ({ refusals: [answer] });

/** The status does not allow the action; the caller may also have seen an old version. */
const closed = (stale: Answer | false): Judgement => judge([NOT_ALLOWED_NOW, stale], () => {});

/** A lapse needs no task: after its deadline a hold is expired, and an offer is a request again. */
export function letLapse(world: ModelWorld, now: number): void {
  for (const appointment of world.appointments) {
    const { status, deadline } = appointment;
    if (deadline === null || deadline > now) continue;
    if (status === 'held') change(appointment, 'system', 'expired', 'expired', 'expired');
    if (status === 'offered') {
      appointment.note = null;
      change(appointment, 'system', 'offer_lapsed', 'requested', 'offer_ended', null);
    }
  }
}

/** Moves everything into the past, as if the clocks had moved on. */
export function travel(world: ModelWorld, milliseconds: number): void {
  for (const appointment of world.appointments) {
    const { time, history } = appointment;
    if (time) {
      time.start -= milliseconds;
      time.end -= milliseconds;
      time.blockedUntil -= milliseconds;
    }
    if (appointment.deadline !== null) appointment.deadline -= milliseconds;
    appointment.requestedAt -= milliseconds;
    if (appointment.requestedStart !== null) appointment.requestedStart -= milliseconds;
    for (const event of history) {
      if (event.fromStart !== null) event.fromStart -= milliseconds;
      if (event.toStart !== null) event.toStart -= milliseconds;
    }
  }
}

function change(
  appointment: ModelAppointment,
  by: ModelEvent['by'],
  what: string,
  to: Status,
  mail: string | null,
  time: ModelTime | null = appointment.time,
): void {
  const fromStart = appointment.time?.start ?? null;
  const released = occupies(appointment) ? fromStart : null;
  if (by !== 'system') appointment.version += 1;
  const { version, status: from } = appointment;
  const toStart = time?.start ?? null;
  appointment.history.push({ by, what, from, to, fromStart, toStart, version, mail });
  appointment.time = time && { ...time };
  appointment.status = to;
  if (to !== 'held' && to !== 'offered') appointment.deadline = null;
  if (released !== null) lengthenBuffer(appointment.artist, released);
}

/** A buffer that ended where a released time began becomes as long as they are now. */
function lengthenBuffer(artist: ModelArtist, start: number, all = artist.appointments): void {
  const times = all.flatMap((one) => (occupies(one) && one.time ? [one.time] : []));
  const next = Math.min(...times.map((time) => time.start).filter((other) => other >= start));
  for (const time of times.filter(({ blockedUntil }) => blockedUntil === start))
    time.blockedUntil = Math.max(start, Math.min(time.end + artist.bufferMinutes * MINUTE, next));
}

/** Whether its time is blocked for others. */
function occupies({ status, isDeleted }: ModelAppointment): boolean {
  return !isDeleted && (status === 'held' || status === 'offered' || status === 'confirmed');
}

/** Whether it takes one of the editions of its design. */
function usesEdition(appointment: ModelAppointment): boolean {
  const { status, keepsEdition, isDeleted } = appointment;
  const isBooked = ['confirmed', 'completed', 'no_show'].includes(status);
  return !isDeleted && (keepsEdition || isBooked || occupies(appointment));
}

/** How many editions nobody has; null without limit. `except` does not count. */
export function editionsLeft(
  world: ModelWorld,
  design: ModelDesign,
  except: ModelAppointment | null = null,
): number | null {
  if (design.editions === null) return null;
  const used = world.appointments.filter(
    (other) => other.design === design && other !== except && usesEdition(other),
  );
  return Math.max(0, design.editions - used.length);
}

/** Whether clients can no longer book the design. */
function isGone(
  world: ModelWorld,
  design: ModelDesign | null,
  except: ModelAppointment | null,
): boolean {
  if (design === null) return false;
  const isOffered = !design.isDeleted && design.status === 'available';
  return !isOffered || editionsLeft(world, design, except) === 0;
}

interface Wanted {
  readonly start: number;
  readonly end: number;
  readonly blockedUntil: number;
}

function isFree(
  world: ModelWorld,
  artist: ModelArtist,
  { start, blockedUntil }: Wanted,
  except: readonly (ModelAppointment | null)[],
): boolean {
  return !world.appointments.some(
    (other) =>
      other.artist === artist &&
      !except.includes(other) &&
      occupies(other) &&
      other.time !== null &&
      other.time.start < blockedUntil &&
      start < other.time.blockedUntil,
  );
}

/** Why the artist cannot set a time: another one overlaps it, or only a buffer does. */
function conflictOf(
  world: ModelWorld,
  artist: ModelArtist,
  wanted: Wanted,
  except: readonly (ModelAppointment | null)[],
) {
  if (isFree(world, artist, wanted, except)) return false;
  const withoutBuffers = world.appointments.flatMap(({ time, ...other }) =>
    time ? [{ ...other, time: { ...time, blockedUntil: time.end } }] : [],
  );
  const exceptIds = new Set(except.map((one) => one?.id));
  const others = withoutBuffers.filter(({ id }) => !exceptIds.has(id));
  const bare = { ...wanted, blockedUntil: wanted.end };
  return isFree({ ...world, appointments: others }, artist, bare, []) ? BUFFER_TOUCHED : TIME_TAKEN;
}

function withBuffer(artist: ModelArtist, start: number, end: number): Wanted {
  return { start, end, blockedUntil: end + artist.bufferMinutes * MINUTE };
}

/** Whether the artist's page lists a time. `except` does not count as taken. */
export function isListed(
  world: ModelWorld,
  artist: ModelArtist,
  { start, end }: { readonly start: number; readonly end: number },
  now: number,
  ...except: readonly (ModelAppointment | null)[]
): boolean {
  // Days that are open for 24 hours are one stretch.
  const isClosed = (instant: number) => artist.closedDates.includes(utcDate(instant));
  return (
    artist.isActive &&
    !isClosed(start) &&
    !isClosed(end - 1) &&
    start % GRID_MS === 0 &&
    start >= now + artist.noticeMinutes * MINUTE &&
    isFree(world, artist, withBuffer(artist, start, end), except)
  );
}

export function utcDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

export interface RequestInput {
  readonly start: number;
  readonly end: number;
  readonly service: ModelService | null;
  readonly design: ModelDesign | null;
  readonly email: string;
  readonly notes: string;
  readonly key: string | null;
  readonly replaces: ModelAppointment | null;
}

/** A client picks a time (with a service), or asks for an appointment. */
export function judgeRequest(
  world: ModelWorld,
  artist: ModelArtist,
  input: RequestInput,
  now: number,
): Judgement {
  const { service, design, email, key, replaces } = input;
  if (!artist.isActive) return refused(NOT_FOUND);
  const first = world.appointments.find(
    (other) => key !== null && other.artist === artist && other.key === key && !other.isDeleted,
  );
  if (first) {
    const isSame =
      first.history[0]?.what === (service ? 'held' : 'requested') &&
      first.service === service &&
      first.design === design &&
      first.requestedEmail.toLowerCase() === email.toLowerCase() &&
      (service === null || first.requestedStart === input.start);
    if (!isSame) return refused(KEY_REUSED);
    return { stands: first, isEdited: first.notes !== input.notes };
  }
  const released =
    replaces && !replaces.isDeleted && replaces.artist === artist && replaces.status === 'held'
      ? replaces
      : null;
  const reasons = [
    artist.kind !== (service ? 'service' : 'managed') && WRONG_FLOW,
    isGone(world, design, released) && DESIGN_GONE,
    service && (service.isDeleted || !service.isAvailable) && SERVICE_GONE,
    service && input.end - input.start !== service.minutes * MINUTE && END_DOES_NOT_FIT,
    service && !isListed(withoutHold(world, released), artist, input, now) && TIME_TAKEN,
  ];
  return judge(reasons, () => {
    if (released) change(released, 'client', 'released', 'cancelled', null);
    if (!service) {
      add(world, artist, input, now, null, [
        'client',
        'requested',
        'requested',
        'request_received',
      ]);
      return;
    }
    const time = withBuffer(artist, input.start, input.end);
    const added = add(world, artist, input, now, time, ['client', 'held', 'held', 'hold']);
    added.deadline = Math.min(now + HOLD_MS, input.start);
  });
}

/** The world after the release of a hold. */
function withoutHold(world: ModelWorld, hold: ModelAppointment | null): ModelWorld {
  if (!hold?.time) return world;
  const others = world.appointments
    .filter((other) => other !== hold)
    .map((other) => ({ ...other, time: other.time && { ...other.time } }));
  const own = others.filter(({ artist }) => artist === hold.artist);
  lengthenBuffer(hold.artist, hold.time.start, own);
  return { ...world, appointments: others };
}

/** The artist enters an appointment, also outside opening hours; clients need not confirm it. */
export function judgeEntry(
  world: ModelWorld,
  artist: ModelArtist,
  input: RequestInput,
  now: number,
): Judgement {
  const { service, design, start, end } = input;
  if (!artist.isLoggedIn) return refused(LOGGED_OUT);
  const time = withBuffer(artist, start, end);
  const reasons: Parameters<typeof judge>[0] = [
    service?.isDeleted === true && NOT_FOUND,
    design?.isDeleted === true && NOT_FOUND,
    design && editionsLeft(world, design) === 0 && ALL_TAKEN,
    conflictOf(world, artist, time, []),
  ];
  return judge(reasons, () => {
    const mail = start > now ? 'booked' : null;
    add(world, artist, input, now, time, ['artist', 'entered', 'confirmed', mail]);
  });
}

function add(
  world: ModelWorld,
  artist: ModelArtist,
  { service, design, email, key, notes }: RequestInput,
  now: number,
  time: ModelTime | null,
  [by, what, to, mail]: [ModelEvent['by'], string, Status, string | null],
): ModelAppointment {
  const toStart = time?.start ?? null;
  const added: ModelAppointment = {
    id: '',
    artist,
    status: to,
    version: 1,
    time,
    deadline: null,
    email,
    requestedEmail: email,
    requestedAt: now,
    requestedStart: by === 'client' ? toStart : null,
    note: null,
    emailChanges: 0,
    isSetByArtist: false,
    keepsEdition: false,
    isDeleted: false,
    service,
    design,
    key,
    notes,
    history: [{ by, what, from: null, to, fromStart: null, toStart, version: 1, mail }],
  };
  world.appointments.push(added);
  artist.appointments.push(added);
  return added;
}

/** Whether the last offer of a request that is open again has lapsed, or was declined. */
function lastOfferEnded(appointment: ModelAppointment): string | null {
  const offers = ['offered', 'offer_lapsed', 'offer_declined'];
  const last = appointment.history.findLast(({ what }) => offers.includes(what));
  return appointment.status === 'requested' && last ? last.what : null;
}

/** Why the artist no longer offers what an expired hold is for, besides its time. */
function offerRefusals(world: ModelWorld, appointment: ModelAppointment): Answer[] {
  const { service, design, time, isSetByArtist } = appointment;
  const reasons: (Answer | false | null)[] = [
    service && (service.isDeleted || !service.isAvailable) && SERVICE_GONE,
    service &&
      time &&
      service.minutes * MINUTE !== time.end - time.start &&
      !isSetByArtist &&
      SERVICE_CHANGED,
    isGone(world, design, appointment) && DESIGN_GONE,
  ];
  return reasons.filter((reason) => reason !== null && reason !== false);
}

/** The client confirms. `hasForeignTime`: they name a time that the appointment does not have. */
export function judgeConfirmation(
  world: ModelWorld,
  appointment: ModelAppointment,
  { version, hasForeignTime }: { readonly version?: number; readonly hasForeignTime: boolean },
  now: number,
): Judgement {
  const { artist, status, time } = appointment;
  if (appointment.isDeleted) return refused(NOT_FOUND);
  const next = nextStatus('confirm', appointment);
  if (next === '=') return { stands: appointment };
  if (lastOfferEnded(appointment) === 'offer_lapsed') return refused(OFFER_ENDED);
  const isStale = version !== undefined && version !== appointment.version && STALE_FOR_CLIENT;
  if (next === '-' || time === null) return closed(isStale);
  // An expired hold is judged as a new booking; one that is live has reserved its time.
  const asNew = [
    ...offerRefusals(world, appointment),
    !isListed(world, artist, time, now, appointment) && TIME_TAKEN,
    !isFree(world, artist, time, [appointment]) && TIME_TAKEN,
  ];
  const reasons = [
    isStale,
    hasForeignTime && STALE_FOR_CLIENT,
    !artist.isActive && NOT_TAKING,
    ...(status === 'expired' ? asNew : []),
  ];
  return judge(reasons, () => change(appointment, 'client', 'confirmed', next, 'booked'));
}

/** The client does something besides confirming, which takes no further input. */
export function judgeClientAction(
  appointment: ModelAppointment,
  action: 'release' | 'decline' | 'cancel',
  version: number | undefined,
  now: number,
): Judgement {
  if (appointment.isDeleted) return refused(NOT_FOUND);
  const next = nextStatus(action, appointment);
  if (next === '=') return { stands: appointment };
  if (action === 'decline' && lastOfferEnded(appointment) !== null) return { stands: appointment };
  const isStale = version !== undefined && version !== appointment.version;
  if (next === '-') return closed(isStale && STALE_FOR_CLIENT);
  const wasBooked = appointment.status === 'confirmed';
  const notice = wasBooked && action === 'cancel' ? cancellingRefusal(appointment, now) : null;
  return judge([isStale && STALE_FOR_CLIENT, notice], () => {
    if (action === 'release') change(appointment, 'client', 'released', next, null);
    if (action === 'cancel')
      change(appointment, 'client', 'cancelled', next, wasBooked ? 'cancelled' : null);
    if (action !== 'decline') return;
    appointment.note = null;
    change(appointment, 'client', 'offer_declined', next, null, null);
  });
}

function cancellingRefusal({ artist, time }: ModelAppointment, now: number): Answer | null {
  if (artist.cancelHours === null || time === null) return CANCELLING_NOT_ALLOWED;
  const isLate = time.start <= now || time.start - artist.cancelHours * HOUR < now;
  return isLate ? TOO_LATE_TO_CANCEL : null;
}

function movingRefusals(appointment: ModelAppointment, now: number): Answer[] {
  const { artist, service, time } = appointment;
  const listsTimes =
    artist.isActive &&
    artist.kind === 'service' &&
    service?.isAvailable === true &&
    !service.isDeleted;
  if (artist.moveHours === null || !listsTimes || time === null) return [MOVING_NOT_ALLOWED];
  const isLate = time.start <= now || time.start - artist.moveHours * HOUR < now;
  return isLate ? [TOO_LATE_TO_MOVE] : [];
}

/** The client moves what is booked to another listed time of its service. */
export function judgeClientMove(
  world: ModelWorld,
  appointment: ModelAppointment,
  { start, end, version }: { readonly start: number; readonly end: number; version?: number },
  now: number,
): Judgement {
  const { artist, service, time } = appointment;
  if (appointment.isDeleted) return refused(NOT_FOUND);
  const next = nextStatus('move', appointment);
  const isStale = version !== undefined && version !== appointment.version && STALE_FOR_CLIENT;
  if (next === '-' || next === '=') return closed(isStale);
  if (time?.start === start && time.end === end) return { stands: appointment };
  const reasons = [
    isStale,
    ...movingRefusals(appointment, now),
    service && end - start !== service.minutes * MINUTE && END_DOES_NOT_FIT,
    !isListed(world, artist, { start, end }, now, appointment) && TIME_TAKEN,
  ];
  return judge(reasons, () =>
    change(appointment, 'client', 'moved', next, 'moved', withBuffer(artist, start, end)),
  );
}

export function judgeEmail(appointment: ModelAppointment, email: string, now: number): Judgement {
  if (appointment.isDeleted) return refused(NOT_FOUND);
  const next = nextStatus('change_email', appointment);
  if (next === '-' || next === '=' || hasBegun(appointment, now)) return refused(NOT_ALLOWED_NOW);
  // The artist vouches for the email that they entered: another one waits for its link.
  if (appointment.history[0]?.what === 'entered') return { stands: appointment };
  // Also with its own email: nobody learns by trying which email it has.
  if (appointment.emailChanges >= 2) return refused(TOO_MANY_EMAILS);
  if (appointment.email.toLowerCase() === email.toLowerCase()) return { stands: appointment };
  return judge([], () => {
    appointment.email = email;
    appointment.emailChanges += 1;
    const mails = {
      ...{ requested: 'request_received', held: 'hold', offered: 'offer' },
      confirmed: 'booked',
    };
    const mail = Object.entries(mails).find(([status]) => status === next)?.[1] ?? null;
    change(appointment, 'client', 'email_changed', next, mail);
  });
}

function hasBegun({ status, time }: ModelAppointment, now: number): boolean {
  return status === 'confirmed' && time !== null && time.start <= now;
}

export interface TimeInput {
  readonly start: number;
  readonly end: number;
  /** Empty to remove the note; null to leave it as it is. */
  readonly note: string | null;
  readonly version?: number;
}

/** The artist sets a time: an offer of a request, otherwise a move that keeps the status. */
export function judgeSetTime(
  world: ModelWorld,
  appointment: ModelAppointment,
  { start, end, note, version }: TimeInput,
  now: number,
): Judgement {
  const { artist, status, time } = appointment;
  if (!artist.isLoggedIn) return refused(LOGGED_OUT);
  if (appointment.isDeleted) return refused(NOT_FOUND);
  const next = nextStatus('set_time', appointment);
  const isStale = version !== undefined && version !== appointment.version && STALE_FOR_ARTIST;
  if (next === '-' || next === '=') return closed(isStale);
  const isInPast = status !== 'confirmed' && start <= now && IN_THE_PAST;
  const isSame = time?.start === start && time.end === end;
  const noteBefore = status === 'requested' ? null : appointment.note;
  const newNote = note === null ? noteBefore : note || null;
  if (isSame && !isStale && !isInPast) {
    if (newNote === appointment.note) return { stands: appointment };
    // An offer with another note is mailed again.
    if (status !== 'offered')
      return judge([], () => {
        appointment.note = newNote;
        change(appointment, 'artist', 'edited', status, null);
      });
  }
  const wanted = withBuffer(artist, start, end);
  // An offer with another note stays where it is, although the buffer may be longer now.
  const isTaken = isSame ? null : conflictOf(world, artist, wanted, [appointment]);
  const { design } = appointment;
  // An offer takes an edition; what has a time has one already.
  const isUsedUp =
    status === 'requested' && design && editionsLeft(world, design) === 0 && ALL_TAKEN;
  return judge([isStale, isInPast, isTaken, isUsedUp], () => {
    // When both times have begun, a record is corrected.
    const isCorrection = time !== null && time.start <= now && start <= now;
    const mails = { held: 'hold', offered: 'offer', confirmed: 'moved' };
    const mail = Object.entries(mails).find(([name]) => name === next)?.[1] ?? null;
    const what = status === 'requested' ? 'offered' : 'moved';
    appointment.note = newNote;
    appointment.isSetByArtist = true;
    change(appointment, 'artist', what, next, isCorrection ? null : mail, wanted);
    if (next === 'held') appointment.deadline = Math.min(now + HOLD_MS, start);
    if (next === 'offered') appointment.deadline = Math.min(now + OFFER_MS, start);
  });
}

export interface DetailsInput {
  /** Null: without a design. */
  readonly design: ModelDesign | null;
  /** Null to leave it as it is. */
  readonly note: string | null;
  readonly version?: number;
}

/** The artist edits what the appointment is about, and its note. */
export function judgeDetails(
  world: ModelWorld,
  appointment: ModelAppointment,
  { design, note, version }: DetailsInput,
): Judgement {
  const { artist, status } = appointment;
  if (!artist.isLoggedIn) return refused(LOGGED_OUT);
  if (appointment.isDeleted) return refused(NOT_FOUND);
  const isStale = version !== undefined && version !== appointment.version && STALE_FOR_ARTIST;
  const isNewDesign = design !== appointment.design;
  const newNote = note === null ? appointment.note : note;
  const isUsedUp =
    isNewDesign && design && usesEdition(appointment) && editionsLeft(world, design) === 0;
  const reasons = [
    isStale,
    note !== null && status === 'requested' && NO_NOTE_YET,
    isNewDesign && design?.isDeleted === true && NOT_FOUND,
    isUsedUp && ALL_TAKEN,
  ];
  if (reasons.every((reason) => !reason) && !isNewDesign && newNote === appointment.note)
    return { stands: appointment };
  return judge(reasons, () => {
    appointment.design = design;
    appointment.note = newNote;
    change(appointment, 'artist', 'edited', status, null);
  });
}

/** The artist sets a status. */
export function judgeStatus(
  world: ModelWorld,
  appointment: ModelAppointment,
  action: ArtistStatus,
  {
    note,
    version,
    keepsEdition,
  }: { readonly note: string | null; readonly version?: number; readonly keepsEdition: boolean },
  now: number,
): Judgement {
  const { artist, time } = appointment;
  if (!artist.isLoggedIn) return refused(LOGGED_OUT);
  if (appointment.isDeleted) return refused(NOT_FOUND);
  const isStale = version !== undefined && version !== appointment.version && STALE_FOR_ARTIST;
  const next = nextStatus(action, appointment);
  if (next === '-' || next === '=') return closed(isStale);
  const marksAttendance = action === 'completed' || action === 'no_show';
  const reasons = [
    isStale,
    marksAttendance && (time === null || time.start > now) && NOT_BEGUN,
    action === 'confirmed' &&
      time !== null &&
      !isFree(world, artist, time, [appointment]) &&
      REOPENED_TIME_TAKEN,
  ];
  return judge(reasons, () => {
    // What is over mails nobody, unless the client may still expect it at an earlier time of it.
    const wasAhead = appointment.history.some(
      ({ what, fromStart }) => what === 'moved' && fromStart !== null && fromStart > now,
    );
    const isExpected = time === null || time.end > now || wasAhead;
    const isTold = action === 'declined' || action === 'cancelled';
    const mail = isTold && isExpected ? action : null;
    // Clients see the note that belongs to the present state; after attendance, that of the time.
    if (isTold) appointment.note = note;
    // Only what uses an edition can keep it.
    appointment.keepsEdition = keepsEdition && usesEdition(appointment);
    const what = action === 'confirmed' ? 'reopened' : action;
    change(appointment, 'artist', what, next, mail);
  });
}

export function judgeDeletion(appointment: ModelAppointment): Judgement {
  if (!appointment.artist.isLoggedIn) return refused(LOGGED_OUT);
  if (appointment.isDeleted) return refused(NOT_FOUND);
  const isDeletable = ['declined', 'expired', 'cancelled'].includes(appointment.status);
  return judge([!isDeletable && NOT_DELETABLE], () => {
    appointment.isDeleted = true;
  });
}

/** What is open to the client. Whether the time of an expired hold is still free is seen later. */
export function openToClient(
  world: ModelWorld,
  appointment: ModelAppointment,
  now: number,
): string[] {
  const { artist, status, time, emailChanges, requestedAt } = appointment;
  const isUnconfirmed = status === 'requested' || status === 'held' || status === 'offered';
  const canBookAgain =
    status === 'expired' &&
    time !== null &&
    time.start > now &&
    now - requestedAt <= LATE_CONFIRMATION_MS &&
    offerRefusals(world, appointment).length === 0;
  const rules: [string, boolean][] = [
    ['confirm', artist.isActive && (status === 'held' || status === 'offered' || canBookAgain)],
    ['release', status === 'held'],
    ['decline', status === 'offered'],
    ['move', status === 'confirmed' && movingRefusals(appointment, now).length === 0],
    [
      'cancel',
      status === 'requested' ||
        (status === 'confirmed' && cancellingRefusal(appointment, now) === null),
    ],
    [
      'change_email',
      (isUnconfirmed || status === 'confirmed') && !hasBegun(appointment, now) && emailChanges < 2,
    ],
  ];
  return rules.filter(([, isTrue]) => isTrue).map(([name]) => name);
}
