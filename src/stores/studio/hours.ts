// The artists' hours page: opening hours, booking rules, and a preview of the clients' view.

import { atom, computed, type ReadableAtom } from 'nanostores';
import { serverNow } from '#client/server_clock.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import * as endpoints from '#contract/endpoints.ts';
import type { ScheduleChanges } from '#contract/schedule.ts';
import { computePreviewDays, filterOutsideHours } from '#domain/booking/availability_preview.ts';
import { booksAt } from '#domain/booking/books.ts';
import {
  removeExceptions,
  restoreNightBefore,
  setExceptions,
  toStoredHours,
  toTypedHours,
  upcomingExceptions,
} from '#domain/booking/opening_hours.ts';
import type { OpeningWindow } from '#domain/booking/schedule.ts';
import { addDays, type DateRange } from '#domain/time/calendar_date.ts';
import { localDateAt } from '#domain/time/format_time.ts';
import { DAY_MS, type Instant, MINUTE_MS, toRfc3339 } from '#domain/time/time.ts';
import { errorText } from '../error_text.ts';
import { registerFormDraft, saveFormDrafts, takeFormDraft } from '../form_drafts.ts';
import { callAsArtist } from '../session.ts';
import { closeToast, showSuccessToast } from '../toasts.ts';
import { toBlockedTimes, toBookedAppointments } from './booked_appointments.ts';
import { $allServices } from './choices.ts';
import {
  type HoursDraft,
  type HoursSettings,
  isDifferent,
  isHoursEdit,
  mergeHours,
  RULES,
  rebaseDraft,
  toHoursDraft,
  validateDraft,
} from './hours_draft.ts';
import { applyMe } from './me.ts';
import { $now } from './now.ts';
import { attempt, createQuery } from './queries.ts';

/** Clients can book at most 24 months ahead (731 days); a few more days do no harm. */
const LOADED_AHEAD_MS = 740 * DAY_MS;
/** Also loads the last two days: their appointments or buffers may last until now. */
const LOADED_BEFORE_MS = 2 * DAY_MS;
const PREVIEW_DAYS = 14;
const FORM_NAME = 'hours';

/** The appointments from now on, as far ahead as clients can book, and of the last two days. */
export const $appointmentsAhead = createQuery(['appointments', 'ahead'], () => {
  const thisMinute = Math.floor(serverNow() / MINUTE_MS) * MINUTE_MS;
  const start = toRfc3339(thisMinute - LOADED_BEFORE_MS);
  const end = toRfc3339(thisMinute + LOADED_AHEAD_MS);
  return callAsArtist(endpoints.listAppointmentsInRange, { query: { start, end } });
});

/** Edits a draft of the artist's settings: checks it, previews it and saves it. */
export function createHoursEditor(me: CurrentArtist) {
  /** The artist with the settings as this page last loaded or saved them. */
  const $savedArtist = atom(me);
  // Not `computed`, which after midnight could drop an exception of yesterday that `$draft` has.
  const $savedDraft = atom<HoursDraft>(toHoursDraft(me, studioToday(me)));
  /** The settings as the form shows them, maybe invalid. */
  const $draft = atom<HoursDraft>($savedDraft.get());
  const $isSaving = atom(false);
  const $saveError = atom<string | null>(null);
  const $validation = computed($draft, validateDraft);
  const $isChanged = computed([$draft, $savedDraft], isDifferent);

  /** The toast of the last save, until a change closes it. */
  let savedToastId: number | undefined;

  /** Sets the saved settings, but not `$draft`. @returns the saved settings as a draft */
  function setSaved(artist: CurrentArtist): HoursDraft {
    const savedDraft = toHoursDraft(artist, studioToday(artist));
    $savedArtist.set(artist);
    $savedDraft.set(savedDraft);
    return savedDraft;
  }

  function change(changes: Partial<HoursDraft>): void {
    // On a phone the toast of the last save covers the Save button.
    closeToast(savedToastId);
    savedToastId = undefined;
    // The preview starts at the current time, not at the last tick of `$now`.
    $now.set(serverNow());
    $draft.set({ ...$draft.get(), ...changes });
  }

  return {
    zone: () => $savedArtist.get().studio,
    today: () => studioToday($savedArtist.get()),
    $draft,
    $validation,
    $isChanged,
    $isSaving,
    $saveError,
    ...previewHours($validation, $savedArtist),
    change,
    /** Restores a draft that was not saved. @returns the function that unregisters the form */
    start(): () => void {
      const restored = takeFormDraft(FORM_NAME);
      if (isHoursEdit(restored))
        // The settings may have been changed elsewhere since.
        $draft.set(rebaseDraft($savedDraft.get(), restored.base, restored.draft));
      return registerFormDraft(FORM_NAME, () =>
        $isChanged.get() ? { base: $savedDraft.get(), draft: $draft.get() } : undefined,
      );
    },
    /** Shows newly loaded settings, unless the artist is editing. */
    applyUpdate(loaded: CurrentArtist): void {
      if ($isChanged.get() || $isSaving.get()) return;
      $draft.set(setSaved(loaded));
    },
    /** Sets the hours of weekdays: 1 is Monday, 7 Sunday. */
    setWeekdays(weekdays: readonly number[], windows: readonly OpeningWindow[]): void {
      const { weekly } = $draft.get();
      change({
        weekly: weekly.map((day) => (weekdays.includes(day.weekday) ? { ...day, windows } : day)),
      });
    },
    /** Makes dates exceptions with these hours; no hours: days off. */
    setDates({ first, last }: DateRange, windows: readonly OpeningWindow[]): void {
      change({ exceptions: setExceptions($draft.get().exceptions, first, last, windows) });
    },
    /** Removes the exceptions `first` to `last`, both included: the weekly hours apply again. */
    removeDates({ first, last }: DateRange): void {
      const draft = $draft.get();
      change({ exceptions: removeExceptions(restoreNightBefore(draft, first), first, last) });
    },
    /** Resets the draft to the saved settings, without dates that have passed meanwhile. */
    discard(): void {
      $saveError.set(null);
      takeFormDraft(FORM_NAME);
      $draft.set(setSaved($savedArtist.get()));
    },
    /** Saves a valid draft; shows success, or sets `$saveError`. @returns whether it was saved */
    async save(): Promise<boolean> {
      const { settings } = $validation.get();
      if (settings === null || $isSaving.get()) return false;
      const sentDraft = $draft.get();
      $isSaving.set(true);
      $saveError.set(null);
      try {
        const saved = await saveSettings($savedArtist.get(), settings);
        takeFormDraft(FORM_NAME);
        // The artist may have changed the draft during the request.
        $draft.set(rebaseDraft(setSaved(saved), sentDraft, $draft.get()));
        applyMe(saved);
        savedToastId = showSuccessToast('Hours saved.', 'Clients see them right away.');
        return true;
      } catch (error) {
        saveFormDrafts();
        $saveError.set(errorText(error));
        return false;
      } finally {
        $isSaving.set(false);
      }
    },
  };
}

/** Previews the settings in the form as clients see them, and the appointments that these leave outside. */
function previewHours(
  $validation: ReadableAtom<ReturnType<typeof validateDraft>>,
  $savedArtist: ReadableAtom<CurrentArtist>,
) {
  const $selectedServiceId = atom<string | null>(null);
  /** The draft's settings and the booked appointments; null for an invalid draft or while loading. */
  const $calendar = computed(
    [$validation, $appointmentsAhead, $savedArtist],
    ({ settings }, { data }, { studio: zone, schedule: savedSchedule }) =>
      settings && data
        ? { ...settings, zone, savedSchedule, booked: toBookedAppointments(data.data) }
        : null,
  );
  /** The service whose times the preview shows; null shows all free time. Undefined while loading. */
  const $service = computed(
    [$allServices, $selectedServiceId, $savedArtist],
    ({ data: services }, selectedId, artist) => {
      // `managed`: the artist sets the times, so clients choose no service.
      if (artist.scheduling_type === 'managed') return null;
      if (services === undefined) return undefined;
      const bookable = services.filter((service) => service.is_available);
      return bookable.find(({ id }) => id === selectedId) ?? bookable[0] ?? null;
    },
  );
  return {
    $service,
    selectService: (id: string) => $selectedServiceId.set(id),
    /** The next days with the draft's hours; null for an invalid draft or while loading. */
    $preview: computed([$calendar, $service, $now], (calendar, service, now) => {
      if (calendar === null || service === undefined) return null;
      const blocked = toBlockedTimes(calendar.booked);
      const minutes = service?.duration ?? null;
      return computePreviewDays({ ...calendar, blocked }, minutes, PREVIEW_DAYS, now);
    }),
    /** Booked appointments inside the saved hours, but outside the hours of the draft. */
    $appointmentsOutsideHours: computed($calendar, (calendar) => {
      if (calendar === null) return [];
      const { booked, zone, schedule, savedSchedule } = calendar;
      const outsideSaved = filterOutsideHours(savedSchedule, zone, booked);
      const outsideDraft = filterOutsideHours(schedule, zone, booked);
      return outsideDraft.filter((appointment) => !outsideSaved.includes(appointment));
    }),
  };
}

export type HoursEditor = ReturnType<typeof createHoursEditor>;

/** Opens or closes the books; null lets the booking range decide. Shows success or the error. */
export function saveBooks(state: CurrentArtist['books']['state']): Promise<boolean> {
  return attempt('Not changed.', [], async () => {
    const books = state === null ? null : { state };
    const me = await callAsArtist(endpoints.changeMe, { body: { books } });
    applyMe(me);
    showSuccessToast('Saved.', `Your books are ${me.books.is_open ? 'open' : 'closed'}.`);
  });
}

/** Whether the books would be open with these settings at `now`; null, for an invalid draft: with the saved ones. */
export function wouldBooksBeOpen(
  me: CurrentArtist,
  settings: HoursSettings | null,
  now: Instant,
): boolean {
  const { state } = me.books;
  const booking_range = settings?.bookingRange ?? me.booking_range;
  const books = state === null ? null : { state };
  return booksAt({ ...me, books, booking_range, time_zone: me.studio }, now).isOpen;
}

/** Saves only the settings in which `edited` differs from `before`: changes of other tabs stay. */
async function saveSettings(before: CurrentArtist, edited: HoursSettings): Promise<CurrentArtist> {
  let stored = await callAsArtist(endpoints.fetchMe);
  const changes = scheduleChanges(before.schedule, edited.schedule, stored);
  if (Object.keys(changes).length > 0)
    stored = await callAsArtist(endpoints.changeSchedule, { body: changes });
  if (isDifferent(before.booking_range, edited.bookingRange))
    stored = await callAsArtist(endpoints.changeBookingRange, { body: edited.bookingRange });
  return stored;
}

/** The changes from `before` to `edited`; changed lists are merged into those of `stored`, the settings of now. */
function scheduleChanges(
  before: CurrentArtist['schedule'],
  edited: HoursSettings['schedule'],
  stored: CurrentArtist,
): ScheduleChanges {
  const changes: ScheduleChanges = {};
  const today = studioToday(stored);
  const typedBefore = toTypedHours(before, today);
  const typed = toTypedHours(edited, today);
  const typedStored = toTypedHours(stored.schedule, today);
  if (isDifferent(typedBefore, typed)) {
    const merged = toStoredHours(mergeHours(typedBefore, typed, typedStored));
    if (isDifferent(typedBefore.weekly, typed.weekly)) changes.weekly = merged.weekly;
    // Neither list has dates before yesterday, so the next change of an exception deletes those.
    const upcoming = upcomingExceptions(stored.schedule.exceptions, addDays(today, -1));
    if (isDifferent(upcoming, merged.exceptions)) changes.exceptions = merged.exceptions;
  }
  for (const rule of RULES)
    if (before[rule] !== edited[rule]) Object.assign(changes, { [rule]: edited[rule] });
  return changes;
}

/** The date in the studio, `YYYY-MM-DD`. */
function studioToday({ studio }: CurrentArtist): string {
  return localDateAt(studio, serverNow());
}
