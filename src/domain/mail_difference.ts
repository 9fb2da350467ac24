/**
 * What one side of an appointment, its client or its artist, is mailed: the difference between the
 * appointment and what this side was told. A change only says `tell` or `quiet`; `decide` compares later.
 */
import { agreedTimeAt, startOfAgreedTime } from './agreed_time.ts';
import type { Actor, AppointmentStatus } from './appointment.ts';
import type { TimeRange } from './availability.ts';
import {
  type AppointmentMailKind,
  type AppointmentSnapshot,
  isClientMailKind,
  isStillRelevant,
  MAILED_UNDO_MS,
} from './mail.ts';
import { isReminderOfClockTime } from './reminders.ts';
import { compareStudios, type KeptTime, type StudioChange } from './studio_change.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from './time.ts';

/** The appointment as a mail can show it. */
export interface Facts {
  readonly version: number;
  readonly status: AppointmentStatus;
  readonly time: TimeRange | null;
  /** What clocks were to show at the start. */
  readonly agreed: string | null;
  readonly expiresAt: Instant | null;
  readonly note: string | null;
  readonly studio: AppointmentSnapshot['studio'];
}

/** What happened, in the word of the mail that tells it alone. */
export interface News {
  readonly kind: AppointmentMailKind;
  readonly by: Actor;
  /** Which change of the artist can be undone, so that its mail waits. */
  readonly undo?: 'move' | 'studio';
  readonly hasNewRules?: boolean;
  readonly mustProveEmail?: boolean;
  readonly isResent?: boolean;
  /** The words or the time of an event that the row of the appointment does not keep. */
  readonly ownFacts?: Partial<Facts>;
}

/** A difference that this side is to be told. */
interface Pending {
  readonly news: News;
  readonly toldAt: Instant;
  readonly dueAt: Instant;
  /** What this side knew before; null if that is nothing, or unknown. */
  readonly before: Facts | null;
  /** Whether it tells of a booking that this side has not read of. */
  readonly isBooking: boolean;
  /** Whether it is mailed although the facts may be as before. */
  readonly isNews: boolean;
  /** The facts before the changes that can be undone, by the kind of the change. */
  readonly undoable: { readonly move?: Facts; readonly studio?: Facts };
  /** Of a deleted appointment. */
  readonly lastFacts?: Facts;
}

/** A mail that is frozen: it goes out as it is, or not at all. */
interface Frozen {
  readonly mailId: string;
  readonly content: MailContent;
  readonly facts: Facts;
  /** The difference that it tells, which is open again if the mail cannot have arrived. */
  readonly pending: Pending;
}

interface MailContent {
  readonly kind: AppointmentMailKind;
  readonly by: Actor;
  readonly movedFrom: Instant | null;
  readonly wasBooked: boolean;
  readonly studioChange: ToldChange | null;
  readonly calendar: CalendarFile | null;
}

type ToldChange = StudioChange & { readonly kept: KeptTime; readonly zoneBefore: string };

interface CalendarFile {
  readonly method: 'REQUEST' | 'CANCEL';
  readonly organizer: string;
  readonly sequence: number;
}

export interface Side {
  readonly owner: 'client' | 'artist';
  readonly mailbox: string;
  /** The facts of the last mail to this mailbox; `unknown` if a mail may have arrived. */
  readonly told: { readonly facts: Facts; readonly news: News } | 'unknown' | null;
  readonly pending: Pending | null;
  readonly sending: Frozen | null;
  /** The calendar entry that a mail brought to this mailbox, and the organizer of the first file. */
  readonly entry: Omit<CalendarFile, 'method'> | null;
}

export interface Surroundings {
  readonly now: Instant;
  /** Until when a change of the artist's studio can be undone. */
  readonly undoEnd: Instant | null;
  /** When the budgets of the mailbox and of the artist have room again. */
  readonly budgetEnd: Instant | null;
  readonly isStopped: boolean;
  /** Of a calendar file; null while the artist is not proven. */
  readonly organizer: string | null;
}

export type Decision =
  | { readonly kind: 'send'; readonly content: MailContent; readonly facts: Facts }
  | { readonly kind: 'wait'; readonly until: Instant | 'end of sending' }
  /** `stopped` is shown to the artist; `undone` and `outdated` are not told to anybody. */
  | {
      readonly kind: 'nothing';
      readonly reason: 'no difference' | 'undone' | 'outdated' | 'stopped';
    };

export function newSide(owner: Side['owner'], mailbox: string): Side {
  return { owner, mailbox, told: null, pending: null, sending: null, entry: null };
}

/** This side is to be told what happened. Without a call, a change is quiet: what is due stays due. */
export function tell(
  side: Side,
  news: News,
  before: Facts | null,
  after: Facts,
  now: Instant,
): Side {
  const { pending, told } = side;
  const { undo, kind } = news;
  // Its own action is known to it before the mail.
  const isKnown = pending === null || pending.news.by === side.owner;
  const known = pending?.before ?? (isKnown ? before : null);
  return {
    ...side,
    pending: {
      news,
      toldAt: now,
      dueAt: now + waitMs(news, after, now),
      before: told === 'unknown' ? null : known,
      isBooking: BOOKINGS.has(kind) || (MOVES.has(kind) && pending?.isBooking === true),
      isNews: undo === undefined || pending?.isNews === true,
      undoable: { ...(undo && before && { [undo]: before }), ...pending?.undoable },
    },
  };
}

/** A deleted appointment leaves the facts that its open difference needs. */
export function keepFacts(side: Side, facts: Facts): Side {
  return { ...side, pending: side.pending && { ...side.pending, lastFacts: facts } };
}

/** Another mailbox was told nothing, and has no calendar entry. A budget of the old one ends. */
export function changeMailbox(side: Side, mailbox: string): Side {
  return { ...newSide(side.owner, mailbox), pending: side.pending };
}

const BOOKINGS: ReadonlySet<AppointmentMailKind> = new Set(['booked', 'new_booking']);
const MOVES: ReadonlySet<AppointmentMailKind> = new Set(['moved', 'client_moved']);

/** The clocks of servers differ by less. */
const CLOCK_DIFFERENCE_MS = 5 * MINUTE_MS;
const CONFIRMATION_WAIT_MS = 2 * MINUTE_MS;
const SHORT_HOLD_MS = 10 * MINUTE_MS;

function waitMs({ kind, by, undo, mustProveEmail, isResent }: News, facts: Facts, now: Instant) {
  if (isResent) return 0;
  if (undo !== undefined) return MAILED_UNDO_MS;
  if (kind !== 'hold' || by === 'artist' || mustProveEmail) return 0;
  const isShort = facts.expiresAt !== null && facts.expiresAt < now + SHORT_HOLD_MS;
  return isShort ? 0 : CONFIRMATION_WAIT_MS;
}

/** Compares what a side was told with the facts of now. */
export function decide(side: Side, current: Facts | null, around: Surroundings): Decision {
  const { pending, sending } = side;
  if (sending !== null) return { kind: 'wait', until: 'end of sending' };
  if (pending === null) return { kind: 'nothing', reason: 'no difference' };
  const latest = current ?? pending.lastFacts;
  if (latest === undefined) return { kind: 'nothing', reason: 'outdated' };
  const facts = { ...latest, ...pending.news.ownFacts };
  const kind = mailKind(side.owner, pending);
  if (!isStillRelevant(kind, facts.status)) return { kind: 'nothing', reason: 'outdated' };
  if (around.isStopped && side.owner === 'client') return { kind: 'nothing', reason: 'stopped' };
  const wait = Math.max(pending.dueAt, around.undoEnd ?? 0, around.budgetEnd ?? 0);
  if (wait > around.now) return { kind: 'wait', until: wait };
  const content = toContent(side, pending, kind, facts, around);
  const isAsTold = pending.undoable.studio && !pending.undoable.move && !pending.isNews;
  const saysNothing = isAsTold && content.studioChange === null && content.movedFrom === null;
  if (saysNothing || isUndone(pending, facts)) return { kind: 'nothing', reason: 'undone' };
  return { kind: 'send', content, facts };
}

/** Freezes a mail for several differences of one mailbox, which then end together. */
export function freeze(
  side: Side,
  mailId: string,
  decision: Decision & { kind: 'send' },
  parts = 1,
): Side {
  const { content, facts } = decision;
  if (side.pending === null) return side;
  const frozen = parts === 1 ? content : { ...content, calendar: null };
  const { pending } = side;
  return { ...side, pending: null, sending: { mailId, content: frozen, facts, pending } };
}

/** The difference ends without a mail, until something new is told. */
export function close(side: Side): Side {
  return { ...side, pending: null };
}

/** `unknown`: given up after it may have arrived. `unreachable`: it cannot have arrived, and is tried again. */
export type End = 'sent' | 'refused' | 'unreachable' | 'unknown';

/** The result of the frozen mail. What was told meanwhile stays due. */
export function end(side: Side, mailId: string, how: End): Side {
  const { sending, pending } = side;
  if (sending?.mailId !== mailId) return side;
  const { content, facts, pending: open } = sending;
  const ended = { ...side, sending: null };
  switch (how) {
    case 'sent': {
      const { calendar } = content;
      const entry = calendar?.method === 'REQUEST' ? calendar : calendar ? null : side.entry;
      return { ...ended, told: { facts, news: open.news }, entry };
    }
    case 'unknown':
      return { ...ended, told: 'unknown', pending: pending && { ...pending, before: null } };
    case 'refused':
      return ended;
    case 'unreachable':
      return { ...ended, pending: pending === null ? open : joinPending(open, pending) };
  }
}

/** What is due when an earlier mail has not arrived. */
function joinPending(open: Pending, later: Pending): Pending {
  return {
    ...later,
    before: open.before,
    isBooking: later.isBooking || (open.isBooking && MOVES.has(later.news.kind)),
    isNews: open.isNews || later.isNews,
    undoable: { ...later.undoable, ...open.undoable },
  };
}

/** A recipient who does not know of a booking gets the mail about it, at its new time. */
function mailKind(owner: Side['owner'], { news, isBooking }: Pending): AppointmentMailKind {
  if (!isBooking) return news.kind;
  return owner === 'client' ? 'booked' : 'new_booking';
}

/** Only the artist's own undone changes cancel themselves. */
function isUndone({ isNews, undoable: { move, studio }, news }: Pending, facts: Facts): boolean {
  if (isNews) return false;
  const isTimeBack = ({ time }: Facts) =>
    time?.start === facts.time?.start && time?.end === facts.time?.end;
  const isMoveBack =
    move === undefined ||
    (isTimeBack(move) &&
      move.note === facts.note &&
      (facts.expiresAt ?? Number.POSITIVE_INFINITY) >=
        (move.expiresAt ?? Number.POSITIVE_INFINITY));
  if (studio === undefined) return isMoveBack;
  const { hasNewAddress, hasNewZone } = compareStudios(studio.studio, facts.studio);
  return isMoveBack && isTimeBack(studio) && !hasNewAddress && !hasNewZone && !news.hasNewRules;
}

const SAYS_TIME_BEFORE: ReadonlySet<AppointmentMailKind> = new Set([
  'booked',
  'new_booking',
  'moved',
  'client_moved',
  'hold',
  'offer',
  'cancelled',
  'client_cancelled',
]);

function toContent(
  side: Side,
  { news, before, undoable }: Pending,
  kind: AppointmentMailKind,
  facts: Facts,
  around: Surroundings,
): MailContent {
  const known = SAYS_TIME_BEFORE.has(kind) ? (before?.time?.start ?? null) : null;
  const told = side.told === 'unknown' ? before : (side.told?.facts ?? before);
  return {
    kind,
    by: news.by,
    movedFrom: known === facts.time?.start ? null : known,
    wasBooked: before?.status === 'confirmed',
    studioChange: undoable.studio ? toldChange(told ?? undoable.studio, facts, news) : null,
    calendar: calendarFile(side, kind, facts, around),
  };
}

/** The change of the studio since the last mail; null if it is again as that told. */
function toldChange(told: Facts, facts: Facts, { hasNewRules = false }: News): ToldChange | null {
  const change = { ...compareStudios(told.studio, facts.studio), hasNewRules };
  if (!change.hasNewAddress && !change.hasNewZone && !hasNewRules) return null;
  const zoneBefore = told.studio.time_zone;
  return { ...change, zoneBefore, kept: keptTime(told, facts) };
}

function keptTime(told: Facts, { time, studio: { time_zone: zone } }: Facts): KeptTime {
  if (told.time === null || time === null || told.time.start === time.start) return 'moments';
  const local = told.agreed ?? agreedTimeAt(told.studio.time_zone, told.time.start).local;
  if (agreedTimeAt(zone, time.start).local === local) return 'clock_times';
  return startOfAgreedTime(zone, local) === time.start ? 'next_time' : 'moments';
}

function calendarFile(
  { entry }: Side,
  kind: AppointmentMailKind,
  { time, version }: Facts,
  { organizer }: Surroundings,
): CalendarFile | null {
  if (organizer === null || time === null) return null;
  const file = { organizer: entry?.organizer ?? organizer, sequence: version };
  if (kind === 'cancelled' || kind === 'client_cancelled')
    return entry && { ...file, method: 'CANCEL' };
  const isSet = ['booked', 'moved', 'new_booking', 'client_moved'].includes(kind);
  return isSet ? { ...file, method: 'REQUEST' } : null;
}

/** A reminder has a row of its own. */
export interface Reminder extends Pick<Facts, 'time' | 'studio'> {
  readonly hours: number;
  readonly queuedAt: Instant;
}

/** A difference that was told after the reminder replaces it; an earlier one goes first. */
export function decideReminder(
  side: Side,
  reminder: Reminder,
  facts: Facts | null,
  around: Surroundings,
): 'send' | 'drop' | 'wait' {
  const { now, undoEnd, budgetEnd, isStopped } = around;
  if (facts?.time == null || facts.status !== 'confirmed' || isStopped) return 'drop';
  const { start } = facts.time;
  const isSame = start === reminder.time?.start || isReminderOfClockTime(reminder, facts);
  const isDue = start - reminder.hours * HOUR_MS <= now + CLOCK_DIFFERENCE_MS;
  if (!isSame || !isDue || start <= now) return 'drop';
  const news = decide(side, facts, around);
  const isReplaced = side.pending !== null && side.pending.toldAt >= reminder.queuedAt;
  if (news.kind !== 'nothing') return isReplaced && news.kind === 'send' ? 'drop' : 'wait';
  return Math.max(undoEnd ?? 0, budgetEnd ?? 0) > now ? 'wait' : 'send';
}

/** At most this many differences are told in one mail. */
const MAX_PARTS = 50;

/**
 * The differences of a mailbox that one mail tells (decision 0031): each is due, and worth sending. The
 * first that fits the budgets takes those that waited.
 */
export function choosePart<Open extends { readonly side: Side; readonly decision: Decision }>(
  first: Open,
  others: readonly Open[],
): readonly (Open & { readonly decision: { kind: 'send' } })[] {
  const isSent = (open: Open): open is Open & { readonly decision: Decision & { kind: 'send' } } =>
    open.decision.kind === 'send';
  return [...others, first]
    .filter(isSent)
    .filter(
      ({ side, decision }) =>
        side.mailbox === first.side.mailbox &&
        isClientMailKind(decision.content.kind) === (first.side.owner === 'client'),
    )
    .slice(-MAX_PARTS);
}
