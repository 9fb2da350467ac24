import { atom, computed } from 'nanostores';
import { listAppointmentsInRange } from '#client/appointments.ts';
import { changeBookingRange, changeSchedule, fetchMe } from '#client/artists.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import type { ScheduleChanges } from '#contract/schedule.ts';
import {
  type ExceptionDay,
  MAX_EXCEPTIONS,
  mergeDays,
  removeExceptions,
  setExceptions,
  upcomingExceptions,
} from '#domain/hours.ts';
import { computePreviewDays, filterOutsideHours, type PreviewDay } from '#domain/preview.ts';
import type { OpeningWindow } from '#domain/schedule.ts';
import { localDateAt, MINUTE_MS, toRfc3339 } from '#domain/time.ts';
import { reasonOf } from '../reason.ts';
import { artistApi } from '../session.ts';
import { closeToast, tellSuccess } from '../toasts.ts';
import { keepable, takeTyped } from '../typed.ts';
import { $services } from './all_services.ts';
import { blockedBy, bookedAmong } from './booked.ts';
import {
  type HoursDraft,
  inOrder,
  isDraft,
  judgeDraft,
  readDraft,
  type Settings,
  typedOnto,
  wholeWeek,
} from './hours_draft.ts';
import { knowMe } from './me.ts';
import { $now } from './now.ts';
import { createReading } from './queries.ts';

/** How far ahead clients may ever book (contract, Artist), and a little more. */
const AHEAD_MS = 740 * 24 * 60 * MINUTE_MS;
const BEFORE_MS = 2 * 24 * 60 * MINUTE_MS;
const PREVIEW_DAYS = 14;
const FORM = 'hours';

/** All that is on the calendar from now on. */
export const $ahead = createReading<ListPage<Appointment>>(['appointments', 'ahead'], {
  fetcher: () => {
    const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    return listAppointmentsInRange(artistApi(), {
      start: toRfc3339(now - BEFORE_MS),
      end: toRfc3339(now + AHEAD_MS),
    });
  },
});

export type Hours = ReturnType<typeof createHours>;

/** What the page of hours knows and does: a draft of the settings, judged and previewed. */
export function createHours(me: CurrentArtist) {
  const $saved = atom(me);
  /** The draft as it is saved; read once, so that midnight is no change. */
  const $read = atom<HoursDraft>(readDraft(me, todayOf(me)));
  const $draft = atom<HoursDraft>($read.get());
  const $saving = atom(false);
  /** Why the last try to save failed. */
  const $problem = atom<string | null>(null);
  const $serviceId = atom<string | null>(null);

  const $judged = computed($draft, judgeDraft);
  const $changed = computed([$draft, $read], differs);
  const $booked = computed($ahead, ({ data }) => bookedAmong(data?.data ?? []));
  /** The service that the preview shows; null shows free stretches. */
  const $service = computed([$services, $serviceId, $saved], ({ data }, id, saved) => {
    if (saved.scheduling_type === 'managed') return null;
    const offered = (data ?? []).filter((service) => service.is_available);
    return offered.find((service) => service.id === id) ?? offered[0] ?? null;
  });
  const $preview = computed(
    [$judged, $booked, $service, $saved, $now, $ahead, $services],
    ({ settings }, booked, service, saved, now, ahead, services): PreviewDay[] | null => {
      if (settings === null || !ahead.data || !services.data) return null;
      const calendar = {
        ...settings,
        zone: saved.studio.time_zone,
        blocked: blockedBy(booked),
      };
      return computePreviewDays(calendar, service?.duration ?? null, PREVIEW_DAYS, now);
    },
  );
  /** Appointments that the hours as saved have room for, and the draft has not. */
  const $outside = computed([$judged, $booked, $saved], ({ settings }, booked, saved) => {
    if (settings === null) return [];
    const zone = saved.studio.time_zone;
    const before = filterOutsideHours(saved.schedule, zone, booked);
    return filterOutsideHours(settings.schedule, zone, booked).filter(
      (one) => !before.includes(one),
    );
  });

  let told: number | null = null;

  function take(fresh: CurrentArtist): HoursDraft {
    const read = readDraft(fresh, todayOf(fresh));
    $saved.set(fresh);
    $read.set(read);
    return read;
  }

  function change(changes: Partial<HoursDraft>): void {
    // What was saved before is old news, and on a phone stands before the button that saves.
    if (told !== null) closeToast(told);
    told = null;
    $now.set(Date.now());
    $draft.set({ ...$draft.get(), ...changes });
  }

  return {
    zone: () => $saved.get().studio.time_zone,
    today: () => todayOf($saved.get()),
    $draft,
    $judged,
    $changed,
    $saving,
    $problem,
    $service,
    $preview,
    $outside,
    change,
    /** Keeps what is typed over a new login, while the page is open. */
    open(): () => void {
      const typed = takeTyped(FORM);
      if (isDraft(typed)) $draft.set(typed);
      const forget = keepable(FORM, () => ($changed.get() ? $draft.get() : undefined));
      return forget;
    },
    /** Takes over what is read anew, unless something is being edited. */
    know(fresh: CurrentArtist): void {
      if ($changed.get() || $saving.get()) return;
      $draft.set(take(fresh));
    },
    pickService: (id: string) => $serviceId.set(id),
    /** ISO weekday, 1 Monday. */
    setDay(weekday: number, windows: readonly OpeningWindow[]): void {
      change({
        weekly: $draft
          .get()
          .weekly.map((day) => (day.weekday === weekday ? { weekday, windows } : day)),
      });
    },
    /** Gives other weekdays the windows of one. */
    copyDay(weekday: number, others: readonly number[]): void {
      const { weekly } = $draft.get();
      const windows = weekly.find((day) => day.weekday === weekday)?.windows ?? [];
      change({
        weekly: weekly.map((day) => (others.includes(day.weekday) ? { ...day, windows } : day)),
      });
    },
    /** Hours of their own for the dates `first` to `last`, both included; none closes them. */
    setDates(first: string, last: string, windows: readonly OpeningWindow[]): void {
      change({ exceptions: setExceptions($draft.get().exceptions, first, last, windows) });
    },
    /** Whether so many dates can have hours of their own as there are with these. */
    hasRoomFor(first: string, last: string): boolean {
      return setExceptions($draft.get().exceptions, first, last, []).length <= MAX_EXCEPTIONS;
    },
    clearDates(first: string, last: string): void {
      change({ exceptions: removeExceptions($draft.get().exceptions, first, last) });
    },
    discard(): void {
      $problem.set(null);
      $draft.set(take($saved.get()));
    },
    /** @returns whether all is saved */
    async save(): Promise<boolean> {
      const { settings } = $judged.get();
      if (settings === null || $saving.get()) return false;
      const sent = $draft.get();
      $saving.set(true);
      $problem.set(null);
      try {
        const fresh = await sendSettings($saved.get(), settings);
        $draft.set(typedOnto(take(fresh), sent, $draft.get()));
        knowMe(fresh);
        told = tellSuccess('Hours saved.', 'Clients see them right away.');
        return true;
      } catch (error) {
        $problem.set(reasonOf(error));
        return false;
      } finally {
        $saving.set(false);
      }
    },
  };
}

/** Sends only what was changed, brought into what the studio has become meanwhile. */
async function sendSettings(before: CurrentArtist, mine: Settings): Promise<CurrentArtist> {
  const theirs = await fetchMe(artistApi());
  const changes = scheduleChanges(before, mine, theirs);
  let fresh = theirs;
  if (Object.keys(changes).length > 0) fresh = await changeSchedule(artistApi(), changes);
  if (differs(before.booking_range, mine.bookingRange))
    fresh = await changeBookingRange(artistApi(), { ...mine.bookingRange });
  return fresh;
}

function scheduleChanges(
  { schedule: before }: CurrentArtist,
  { schedule: mine }: Settings,
  { schedule: theirs, studio }: CurrentArtist,
): ScheduleChanges {
  const week = wholeWeek(before.weekly);
  const changes: ScheduleChanges = {};
  if (differs(week, mine.weekly))
    changes.weekly = mergeDays(
      week,
      mine.weekly,
      wholeWeek(theirs.weekly),
      ({ weekday }) => weekday,
    ).map(({ weekday, windows }) => ({ weekday, windows: inOrder(windows) }));
  const days = datesOf(before.exceptions, studio);
  const myDays = datesOf(mine.exceptions, studio);
  if (differs(days, myDays))
    changes.exceptions = mergeDays(
      days,
      myDays,
      datesOf(theirs.exceptions, studio),
      ({ date }) => date,
    ).map(({ date, windows }) => ({ date, windows: inOrder(windows) }));
  for (const field of NUMBERS) if (before[field] !== mine[field]) changes[field] = mine[field];
  return changes;
}
const NUMBERS = [
  'slot_interval_minutes',
  'buffer_minutes',
  'minimum_notice_minutes',
] as const satisfies readonly (keyof ScheduleChanges)[];

/** Those that still matter: days that have passed are tidied away with the next change. */
function datesOf(days: readonly ExceptionDay[], studio: CurrentArtist['studio']): ExceptionDay[] {
  return upcomingExceptions(days, localDateAt(studio.time_zone, Date.now())).map(
    ({ date, windows }) => ({
      date,
      windows: inOrder(windows),
    }),
  );
}

function todayOf({ studio }: CurrentArtist): string {
  return localDateAt(studio.time_zone, Date.now());
}

function differs(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
