import { atom, computed } from 'nanostores';
import { listAppointmentsInRange } from '#client/appointments.ts';
import { changeBookingRange, changeSchedule, fetchMe } from '#client/artists.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import type { ScheduleChanges } from '#contract/schedule.ts';
import {
  computePreviewDays,
  filterOutsideHours,
  type PreviewDay,
} from '#domain/availability_preview.ts';
import {
  type ExceptionDay,
  MAX_EXCEPTIONS,
  mergeDays,
  removeExceptions,
  setExceptions,
  upcomingExceptions,
} from '#domain/opening_hours.ts';
import type { OpeningWindow } from '#domain/schedule.ts';
import { localDateAt, MINUTE_MS, toRfc3339 } from '#domain/time.ts';
import { errorText } from '../error_text.ts';
import { registerFormDraft, takeFormDraft } from '../form_drafts.ts';
import { artistApi } from '../session.ts';
import { closeToast, showSuccessToast } from '../toasts.ts';
import { $allServices } from './all_services.ts';
import { toBlockedTimes, toBookedAppointments } from './booked_appointments.ts';
import {
  type HoursDraft,
  type HoursSettings,
  isHoursDraft,
  rebaseDraft,
  toFullWeek,
  toHoursDraft,
  toPlainWindows,
  validateDraft,
} from './hours_draft.ts';
import { applyMe } from './me.ts';
import { $now } from './now.ts';
import { createQuery } from './queries.ts';

/** How far ahead clients may ever book (contract, Artist), and a little more. */
const MAX_AHEAD_MS = 740 * 24 * 60 * MINUTE_MS;
const BEFORE_MS = 2 * 24 * 60 * MINUTE_MS;
const PREVIEW_DAYS = 14;
const FORM_NAME = 'hours';

/** All that is on the calendar from now on. */
export const $appointmentsAhead = createQuery<ListPage<Appointment>>(['appointments', 'ahead'], {
  fetcher: () => {
    const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    return listAppointmentsInRange(artistApi(), {
      start: toRfc3339(now - BEFORE_MS),
      end: toRfc3339(now + MAX_AHEAD_MS),
    });
  },
});

export type HoursEditor = ReturnType<typeof createHoursEditor>;

/** What the page of hours knows and does: a draft of the settings, judged and previewed. */
export function createHoursEditor(me: CurrentArtist) {
  const $savedArtist = atom(me);
  /** The draft as it is saved; read once, so that midnight is no change. */
  const $savedDraft = atom<HoursDraft>(toHoursDraft(me, studioToday(me)));
  const $draft = atom<HoursDraft>($savedDraft.get());
  const $isSaving = atom(false);
  /** Why the last try to save failed. */
  const $saveError = atom<string | null>(null);
  const $serviceId = atom<string | null>(null);

  const $validation = computed($draft, validateDraft);
  const $isChanged = computed([$draft, $savedDraft], isDifferent);
  const $booked = computed($appointmentsAhead, ({ data }) =>
    toBookedAppointments(data?.data ?? []),
  );
  /** The service that the preview shows; null shows free stretches. */
  const $service = computed([$allServices, $serviceId, $savedArtist], ({ data }, id, saved) => {
    if (saved.scheduling_type === 'managed') return null;
    const offered = (data ?? []).filter((service) => service.is_available);
    return offered.find((service) => service.id === id) ?? offered[0] ?? null;
  });
  const $preview = computed(
    [$validation, $booked, $service, $savedArtist, $now, $appointmentsAhead, $allServices],
    ({ settings }, booked, service, saved, now, ahead, services): PreviewDay[] | null => {
      if (settings === null || !ahead.data || !services.data) return null;
      const calendar = {
        ...settings,
        zone: saved.studio.time_zone,
        blocked: toBlockedTimes(booked),
      };
      return computePreviewDays(calendar, service?.duration ?? null, PREVIEW_DAYS, now);
    },
  );
  /** Appointments that the hours as saved have room for, and the draft has not. */
  const $appointmentsOutside = computed(
    [$validation, $booked, $savedArtist],
    ({ settings }, booked, saved) => {
      if (settings === null) return [];
      const zone = saved.studio.time_zone;
      const before = filterOutsideHours(saved.schedule, zone, booked);
      return filterOutsideHours(settings.schedule, zone, booked).filter(
        (one) => !before.includes(one),
      );
    },
  );

  let savedToastId: number | null = null;

  function applySaved(fresh: CurrentArtist): HoursDraft {
    const read = toHoursDraft(fresh, studioToday(fresh));
    $savedArtist.set(fresh);
    $savedDraft.set(read);
    return read;
  }

  function change(changes: Partial<HoursDraft>): void {
    // What was saved before is old news, and on a phone stands before the button that saves.
    if (savedToastId !== null) closeToast(savedToastId);
    savedToastId = null;
    $now.set(Date.now());
    $draft.set({ ...$draft.get(), ...changes });
  }

  return {
    zone: () => $savedArtist.get().studio.time_zone,
    today: () => studioToday($savedArtist.get()),
    $draft,
    $validation: $validation,
    $isChanged: $isChanged,
    $isSaving: $isSaving,
    $saveError: $saveError,
    $service,
    $preview,
    $appointmentsOutside: $appointmentsOutside,
    change,
    /** Keeps what is typed over a new login, while the page is open. */
    start(): () => void {
      const typed = takeFormDraft(FORM_NAME);
      if (isHoursDraft(typed)) $draft.set(typed);
      const forget = registerFormDraft(FORM_NAME, () =>
        $isChanged.get() ? $draft.get() : undefined,
      );
      return forget;
    },
    /** Takes over what is read anew, unless something is being edited. */
    applyUpdate(fresh: CurrentArtist): void {
      if ($isChanged.get() || $isSaving.get()) return;
      $draft.set(applySaved(fresh));
    },
    selectService: (id: string) => $serviceId.set(id),
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
    canAddDates(first: string, last: string): boolean {
      return setExceptions($draft.get().exceptions, first, last, []).length <= MAX_EXCEPTIONS;
    },
    clearDates(first: string, last: string): void {
      change({ exceptions: removeExceptions($draft.get().exceptions, first, last) });
    },
    discard(): void {
      $saveError.set(null);
      $draft.set(applySaved($savedArtist.get()));
    },
    /** @returns whether all is saved */
    async save(): Promise<boolean> {
      const { settings } = $validation.get();
      if (settings === null || $isSaving.get()) return false;
      const sent = $draft.get();
      $isSaving.set(true);
      $saveError.set(null);
      try {
        const fresh = await saveSettings($savedArtist.get(), settings);
        $draft.set(rebaseDraft(applySaved(fresh), sent, $draft.get()));
        applyMe(fresh);
        savedToastId = showSuccessToast('Hours saved.', 'Clients see them right away.');
        return true;
      } catch (error) {
        $saveError.set(errorText(error));
        return false;
      } finally {
        $isSaving.set(false);
      }
    },
  };
}

/** Sends only what was changed, brought into what the studio has become meanwhile. */
async function saveSettings(before: CurrentArtist, mine: HoursSettings): Promise<CurrentArtist> {
  const theirs = await fetchMe(artistApi());
  const changes = scheduleChanges(before, mine, theirs);
  let fresh = theirs;
  if (Object.keys(changes).length > 0) fresh = await changeSchedule(artistApi(), changes);
  if (isDifferent(before.booking_range, mine.bookingRange))
    fresh = await changeBookingRange(artistApi(), { ...mine.bookingRange });
  return fresh;
}

function scheduleChanges(
  { schedule: before }: CurrentArtist,
  { schedule: mine }: HoursSettings,
  { schedule: theirs, studio }: CurrentArtist,
): ScheduleChanges {
  const week = toFullWeek(before.weekly);
  const changes: ScheduleChanges = {};
  if (isDifferent(week, mine.weekly))
    changes.weekly = mergeDays(
      week,
      mine.weekly,
      toFullWeek(theirs.weekly),
      ({ weekday }) => weekday,
    ).map(({ weekday, windows }) => ({ weekday, windows: toPlainWindows(windows) }));
  const days = toUpcomingExceptions(before.exceptions, studio);
  const myDays = toUpcomingExceptions(mine.exceptions, studio);
  if (isDifferent(days, myDays))
    changes.exceptions = mergeDays(
      days,
      myDays,
      toUpcomingExceptions(theirs.exceptions, studio),
      ({ date }) => date,
    ).map(({ date, windows }) => ({ date, windows: toPlainWindows(windows) }));
  for (const field of NUMBER_FIELDS)
    if (before[field] !== mine[field]) changes[field] = mine[field];
  return changes;
}
const NUMBER_FIELDS = [
  'slot_interval_minutes',
  'buffer_minutes',
  'minimum_notice_minutes',
] as const satisfies readonly (keyof ScheduleChanges)[];

/** Those that still matter: days that have passed are tidied away with the next change. */
function toUpcomingExceptions(
  days: readonly ExceptionDay[],
  studio: CurrentArtist['studio'],
): ExceptionDay[] {
  return upcomingExceptions(days, localDateAt(studio.time_zone, Date.now())).map(
    ({ date, windows }) => ({
      date,
      windows: toPlainWindows(windows),
    }),
  );
}

function studioToday({ studio }: CurrentArtist): string {
  return localDateAt(studio.time_zone, Date.now());
}

function isDifferent(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
