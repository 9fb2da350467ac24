// Choosing one of the free times of a service or a design: the month that is shown, the day and the time.
import { atom, computed } from 'nanostores';
import type { AvailableDay, Slot } from '#contract/availability.ts';
import { nearestSlots } from '#domain/booking/nearest_slots.ts';
import { SUGGESTION_COUNT, suggestSlots } from '#domain/booking/suggested_slots.ts';
import {
  addYearMonths,
  type LocalDate,
  toYearMonth,
  type YearMonth,
} from '#domain/time/calendar_date.ts';
import { conventionsOf, type DateConventions } from '#domain/time/date_conventions.ts';
import { formatShortDayAndTime, localDateAt } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { createAvailability, type InitialMonth, MONTH_LOADING, slotsOn } from './availability.ts';
import type { TimeNotice } from './time_notice.ts';
import { closeErrorToasts } from './toasts.ts';
import { visitorLocale } from './visitor_locale.ts';

/** A time on a date of the studio, as the API lists it: `end` is the last minute, included. */
interface DatedSlot extends Slot {
  readonly date: string;
}

/** The client's choice: nothing, only a day, or a time. Choosing another day removes the time. */
type ChosenTime =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'day'; readonly date: string }
  | (DatedSlot & { readonly kind: 'slot' });

const NOTHING: ChosenTime = { kind: 'nothing' };

/** How many months one search for a month with free times covers. */
const MAX_SEARCHED_MONTHS = 6;
/** How many months the calendar shows after its first: no artist lets clients book further ahead. */
const MAX_MONTHS_AHEAD = 24;

const TIME_MISSING_TEXT = 'Please pick a date and a time before you save.';

interface TimeChoiceOptions {
  /** The browser's if left out. */
  readonly conventions?: DateConventions;
  /** The studio's IANA zone, in which all dates are. */
  readonly zone: StudioZone;
  /** The date in the studio's zone by the server's clock; that of a cached page may be an earlier one. */
  readonly today: LocalDate;
  /** The first month with free times, as our server rendered it into the page; it may be stale. */
  readonly initialMonth: InitialMonth | null;
  /** The service whose times are shown, or `designId`; null while none is chosen. */
  readonly bookedId: () => string | null;
  /** A design with a length of its own, which is booked without a service; null for none. */
  readonly designId?: string | null;
  /** Whether the client may have booked this time with a request whose answer was lost: the API may not list it. */
  readonly isMaybeOwn?: (slot: Slot) => boolean;
}

/** The choice of one time, and the months that the calendar shows for it. */
export function createTimeChoice(options: TimeChoiceOptions) {
  const { zone, today, initialMonth, isMaybeOwn = () => false } = options;
  const conventions = options.conventions ?? conventionsOf(visitorLocale());
  const { loadMonth, showFirstOpenMonth, restart, ...shown } = createShownMonths(
    options,
    dropUnlistedSlot,
  );
  const { $month, $months, $shownMonth, showMonth } = shown;
  const $chosenTime = atom<ChosenTime>(NOTHING);
  const $timeNotice = atom<TimeNotice | null>(null);
  const $slotsOfDay = computed([$months, $chosenTime], (months, chosen): readonly Slot[] =>
    chosen.kind === 'nothing' ? [] : (slotsOn(months, chosen.date) ?? []),
  );

  function setChosenTime(chosen: ChosenTime): void {
    $chosenTime.set(chosen);
    if (chosen.kind === 'slot') $timeNotice.set(null);
  }

  /** Removes the chosen time and says so, if its month is loaded without this time. */
  function dropUnlistedSlot(): void {
    const chosen = $chosenTime.get();
    if (chosen.kind !== 'slot' || isMaybeOwn(chosen)) return;
    const { date, start } = chosen;
    // Undefined while its month is not loaded.
    const listed = slotsOn($months.get(), date);
    if (!listed || listed.some((slot) => slot.start === start)) return;
    const slots = [-1, 0, 1].flatMap((distance) => {
      const month = $months.get()[addYearMonths(toYearMonth(date), distance)];
      return month?.kind === 'ready' ? month.days.flatMap(({ windows }) => windows) : [];
    });
    setChosenTime({ kind: 'day', date });
    const time = formatShortDayAndTime(start, zone, conventions);
    const text = `${time} is no longer free. Please pick another.`;
    $timeNotice.set({ text, nearest: nearestSlots(slots, start) });
  }

  function chooseDay(date: string): void {
    closeErrorToasts();
    setChosenTime({ kind: 'day', date });
  }

  function chooseSlot({ start, end }: Slot): void {
    closeErrorToasts();
    const chosen = $chosenTime.get();
    if (chosen.kind === 'slot' && chosen.start === start) return;
    setChosenTime({ kind: 'slot', date: localDateAt(zone, start), start, end });
  }

  /** Chooses a time of any month, and shows its month. */
  function chooseInAnyMonth(slot: Slot): void {
    chooseSlot(slot);
    showMonth(toYearMonth(localDateAt(zone, slot.start)));
  }

  function resetChosenTime(): void {
    closeErrorToasts();
    setChosenTime(NOTHING);
    $timeNotice.set(null);
  }

  /** Resets the choice and loads the times of another service. */
  function startOver(): void {
    resetChosenTime();
    restart();
  }

  /** Loads the month of the chosen time, or shows the first month with free times. */
  async function loadFirst(): Promise<void> {
    const month = $month.get();
    // The page may come from a cache, so its `initialMonth` may be stale.
    if (initialMonth) await loadMonth(initialMonth.month, 'reload');
    // The client may look at another month meanwhile.
    if ($month.get() !== month) return;
    if ($chosenTime.get().kind === 'nothing') await showFirstOpenMonth();
    else await loadMonth(month);
  }

  /**
   * Call it when the page is hydrated: loads times. A month that failed to load is tried again when the
   * network returns, or the client to the page.
   * @returns stops trying again
   */
  function startLoading(): () => void {
    void loadFirst();

    function retry(): void {
      if (!document.hidden && $shownMonth.get().kind === 'failed') void loadMonth($month.get());
    }
    addEventListener('online', retry);
    document.addEventListener('visibilitychange', retry);
    return () => {
      removeEventListener('online', retry);
      document.removeEventListener('visibilitychange', retry);
    };
  }

  return {
    ...shown,
    zone,
    today,
    conventions,
    $chosenTime,
    $slotsOfDay,
    $timeNotice,
    chooseDay,
    chooseSlot,
    chooseInAnyMonth,
    resetChosenTime,
    setChosenTime,
    startOver,
    startLoading,
    /** Says that no time is chosen, unless there is another notice, which says more. */
    showTimeMissing: () =>
      $timeNotice.set($timeNotice.get() ?? { text: TIME_MISSING_TEXT, nearest: [] }),
  };
}
export type TimeChoice = ReturnType<typeof createTimeChoice>;

/** The months of the calendar, and the one that is shown. @param onLoad called after each load of a month */
function createShownMonths(
  { today, initialMonth, bookedId, designId }: TimeChoiceOptions,
  onLoad: () => void,
) {
  const firstMonth = toYearMonth(today);
  const lastMonth = addYearMonths(firstMonth, MAX_MONTHS_AHEAD);
  const availability = createAvailability(initialMonth, designId);
  const { $months } = availability;
  const $month = atom<YearMonth>(initialMonth?.month ?? firstMonth);
  /** The state of the search for the next month with free times; `nothing`: it found none. */
  const $monthSearch = atom<'idle' | 'searching' | 'nothing'>('idle');
  const $shownMonth = computed(
    [$months, $month],
    (months, month) => months[month] ?? MONTH_LOADING,
  );
  /** The first month that can have free times: those before it are known to have none. */
  let firstPossibleMonth = initialMonth?.month ?? firstMonth;
  /** The soonest times of the months that are loaded without a gap. */
  const $suggestions = computed($months, () => suggestSlots(loadedDays()));

  /** The days with free times, up to a month that is not loaded. */
  function loadedDays(): readonly AvailableDay[] {
    const days: AvailableDay[] = [];
    for (let month = firstPossibleMonth; month <= lastMonth; month = addYearMonths(month, 1)) {
      const state = $months.get()[month];
      if (state?.kind !== 'ready') break;
      days.push(...state.days);
    }
    return days;
  }

  /** `load` uses a month that is loaded already; `reload` always asks the API. */
  async function loadMonth(month: YearMonth, method: 'load' | 'reload' = 'load'): Promise<void> {
    const id = bookedId();
    if (id === null) return;
    await availability[method](id, month);
    onLoad();
  }

  function showMonth(month: YearMonth): void {
    $month.set(month);
    $monthSearch.set('idle');
    void loadMonth(month);
  }

  /** Shows the next month that has free times or fails to load. */
  async function showNextOpenMonth(): Promise<void> {
    const id = bookedId();
    const month = $month.get();
    if (id === null || $monthSearch.get() === 'searching') return;
    $monthSearch.set('searching');
    const openMonth = await availability.findOpenMonth(id, month, MAX_SEARCHED_MONTHS);
    // The client may have chosen another service or month meanwhile.
    if (bookedId() !== id || $month.get() !== month) return;
    if (openMonth === null) $monthSearch.set('nothing');
    else showMonth(openMonth);
  }

  /** Shows the first month with free times, and loads the month after it if there are few. */
  async function showFirstOpenMonth(): Promise<void> {
    const month = $month.get();
    await loadMonth(month);
    // The client may look at another month meanwhile.
    const shown = $shownMonth.get();
    if ($month.get() !== month || shown.kind !== 'ready') return;
    if (shown.days.length === 0) await showNextOpenMonth();
    const first = $month.get();
    if (loadedDays().length < SUGGESTION_COUNT && first < lastMonth)
      await loadMonth(addYearMonths(first, 1));
  }

  /** Loads the shown month again, and forgets all others: their free times may have changed. */
  function refresh(): void {
    availability.reset();
    showMonth($month.get());
    // For `$suggestions`, which begin in this month.
    void loadMonth(firstPossibleMonth);
  }

  /** Forgets all months, and begins with the first one. */
  function restart(): void {
    availability.reset();
    firstPossibleMonth = firstMonth;
    $month.set(firstMonth);
    $monthSearch.set('idle');
    void showFirstOpenMonth();
  }

  return {
    firstMonth,
    lastMonth,
    $month,
    $months,
    $shownMonth,
    $suggestions,
    $monthSearch,
    loadMonth,
    showMonth,
    showNextOpenMonth,
    showFirstOpenMonth,
    refresh,
    restart,
  };
}
