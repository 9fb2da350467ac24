import type { LocalDate } from '#domain/time.ts';

/** Days that the artist selected on the calendar, first and last included. */
export interface SelectedDays {
  readonly first: LocalDate;
  readonly last: LocalDate;
  /** The time on the first day; null when no time was selected. */
  readonly start: number | null;
}
