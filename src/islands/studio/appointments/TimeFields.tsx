import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import type { CurrentArtist } from '#contract/artist.ts';
import type { TimeRange } from '#domain/booking/availability.ts';
import {
  computeFreeTimesOn,
  detectConflicts,
  type TimeConflicts,
} from '#domain/booking/time_conflicts.ts';
import { isDate, toStudioTime } from '#domain/studio/studio_time.ts';
import { addDays } from '#domain/time/calendar_date.ts';
import { describeTimeZone } from '#domain/time/describe_time_zone.ts';
import { formatDuration } from '#domain/time/duration.ts';
import {
  formatDay,
  formatDayWithYear,
  formatTimeRange,
  localDateAt,
} from '#domain/time/format_time.ts';
import { MINUTE_MS } from '#domain/time/time.ts';
import { coversDate, type StudioZone, zoneOf } from '#domain/time/zone_offsets.ts';
import {
  $bookedOnDates,
  $shownDates,
  type BookedAppointment,
  touchesDates,
} from '#stores/studio/booked_appointments.ts';
import { $now } from '#stores/studio/now.ts';
import { fetchFreeStart, type TimeSuggestion } from '#stores/studio/suggested_time.ts';
import { TextField } from '../../forms/fields.tsx';
import { LinkButton } from '../buttons.tsx';
import { QueryView } from '../LoadableView.tsx';
import { LIKE_TYPED, MINUTES_RANGE, resolveTypedTime, type TypedTime } from './appointment_form.ts';
import { appointmentClientName } from './labels.ts';

const STEP_MINUTES = 5;
const STEP_MS = STEP_MINUTES * MINUTE_MS;

interface TimeFieldsProps {
  me: CurrentArtist;
  /** The id of the appointment that is being moved: it does not conflict with itself. */
  movedId: string | null;
  /** For what a free time is suggested; null if the appointment has a time already. */
  suggestion: TimeSuggestion | null;
}

/**
 * Inputs for a day, a time and a length in the studio's zone, beside a preview of that day. Needs a
 * form with the fields `date`, `time` and `minutes`.
 */
export function TimeFields({ me, movedId, suggestion }: TimeFieldsProps) {
  useSuggestedTime(me, suggestion);
  return (
    <div className="grid grid-cols-1 gap-x-8 gap-y-2 md:grid-cols-2">
      <div className="grid grid-cols-1 content-start gap-1">
        <TextField name="date" label="Day" type="date" required />
        <div className="grid grid-cols-2 gap-4">
          {/* The browser counts the steps of a time in seconds. */}
          <TextField name="time" label="Start" type="time" step={STEP_MINUTES * 60} required />
          <TextField
            name="minutes"
            label="Minutes"
            type="number"
            inputMode="numeric"
            {...MINUTES_RANGE}
            step={STEP_MINUTES}
            required
          />
        </div>
        <DurationButtons />
        <p className="text-sm text-muted">{`Times in ${describeTimeZone(me.studio.time_zone)}`}</p>
      </div>
      <DayPreview me={me} movedId={movedId} />
    </div>
  );
}

const COMMON_MINUTES = [60, 120, 180, 240, 360];

function DurationButtons() {
  const { setValue } = useFormContext();
  const { minutes } = useTypedTime();
  return (
    <fieldset className="mb-3 flex flex-wrap gap-2">
      <legend className="sr-only">Usual lengths</legend>
      {COMMON_MINUTES.map((length) => (
        <button
          key={length}
          type="button"
          aria-pressed={minutes === String(length)}
          className="min-h-11 cursor-pointer rounded-lg border border-field px-3 font-semibold aria-pressed:border-main aria-pressed:bg-main aria-pressed:text-on-main"
          onClick={() => setValue('minutes', String(length), LIKE_TYPED)}
        >
          <span>{`${length / 60} h`}</span>
          <span className="sr-only">{`, ${formatDuration(length)}`}</span>
        </button>
      ))}
    </fieldset>
  );
}

/** Loads a free time and fills it in, unless any field of the form has changed meanwhile. */
function useSuggestedTime(me: CurrentArtist, suggestion: TimeSuggestion | null): void {
  const { getValues, resetField, watch } = useFormContext();
  useEffect(() => {
    if (!suggestion) return;
    let isWanted = true;
    const stop = () => {
      isWanted = false;
    };
    // Unlike `isDirty`, this also sees a change back to the default, and a restored draft.
    const { unsubscribe } = watch(stop);
    fetchFreeStart(me, suggestion, Number(getValues('minutes')))
      // After an error the default stays, and the preview says why nothing could be loaded.
      .catch(() => null)
      .then((start) => {
        if (!isWanted || start === null) return;
        const { date, time } = toStudioTime(me.studio, { start, end: start });
        // As new defaults, so that the form does not count them as changes.
        resetField('date', { defaultValue: date });
        resetField('time', { defaultValue: time });
      });
    return () => {
      stop();
      unsubscribe();
    };
    // Without dependencies: only once, when the dialog opens.
  }, []);
}

function DayPreview({ me, movedId }: Pick<TimeFieldsProps, 'me' | 'movedId'>) {
  const zone = me.studio;
  const typed = useTypedTime();
  const typedRange = resolveTypedTime(zone, typed);
  const date = isDate(typed.date) ? typed.date : null;
  const now = useStore($now);
  // An appointment of the day before may last into the selected day. The typed time may, with its buffer, last
  // until two days later.
  useEffect(
    () =>
      $shownDates.set(date === null ? null : { first: addDays(date, -1), last: addDays(date, 2) }),
    [date],
  );
  useEffect(() => () => $shownDates.set(null), []);
  if (date === null) return <p className="text-muted">Pick a day to see what it holds.</p>;
  const isThisYear = date.slice(0, 4) === localDateAt(zone, now).slice(0, 4);
  return (
    <section aria-labelledby="day-held" className="rounded-lg border border-line p-4">
      <h3 id="day-held" className="font-sans font-semibold">
        {isThisYear ? formatDay(date) : formatDayWithYear(date, 'UTC')}
      </h3>
      <QueryView query={$bookedOnDates} label="day">
        {(all) => {
          const booked = all.filter(({ appointment }) => appointment.id !== movedId);
          const calendar = { zone, schedule: me.schedule, busyTimes: booked };
          const conflicts = typedRange && detectConflicts(calendar, typedRange);
          return (
            <div className="mt-2 grid gap-3">
              <TimeList name="Booked" emptyText="Nothing yet.">
                {booked
                  .filter((one) => touchesDates(one, { first: date, last: date }, zone))
                  .map(({ appointment, ...range }) => (
                    <li key={appointment.id} className="wrap-anywhere">
                      <span className="font-semibold">
                        {`${formatRange(range, zoneOf(zone, appointment))} `}
                      </span>
                      <span>{appointmentClientName(appointment.client)}</span>
                    </li>
                  ))}
              </TimeList>
              {coversDate(zone, date) ? (
                <TimeList name="Open and free" emptyText="Nothing: closed or full.">
                  {computeFreeTimesOn(calendar, date, now).map((range) => (
                    <li key={range.start}>
                      <FreeTimeButton range={range} zone={zone} />
                    </li>
                  ))}
                </TimeList>
              ) : (
                <p>Free times are not listed for a day so far away. Saving checks the time.</p>
              )}
              <div role="status">
                {conflicts && <ConflictMessage conflicts={conflicts} zone={zone} />}
              </div>
            </div>
          );
        }}
      </QueryView>
    </section>
  );
}

/** Fills in the start of a free time, rounded up to a step of the time field. */
function FreeTimeButton({ range, zone }: { range: TimeRange; zone: StudioZone }) {
  const { setValue } = useFormContext();
  const start = Math.ceil(range.start / STEP_MS) * STEP_MS;
  const { date, time } = toStudioTime(zone, { start, end: range.end });
  return (
    <LinkButton
      label={formatRange(range, zone)}
      onClick={() => {
        setValue('date', date, LIKE_TYPED);
        setValue('time', time, LIKE_TYPED);
      }}
    />
  );
}

interface TimeListProps {
  name: string;
  emptyText: string;
  children: readonly ReactNode[];
}

function TimeList({ name, emptyText, children }: TimeListProps) {
  return (
    <div>
      <p className="text-sm font-semibold text-muted">{name}</p>
      {children.length === 0 ? <p>{emptyText}</p> : <ul>{children}</ul>}
    </div>
  );
}

interface ConflictMessageProps {
  conflicts: TimeConflicts<BookedAppointment>;
  zone: StudioZone;
}

/** Says whether the typed time is free, or else what is in its way. */
function ConflictMessage({ conflicts, zone }: ConflictMessageProps) {
  const { overlaps, bufferOverlaps, isOutsideHours } = conflicts;
  const conflict = overlaps[0] ?? bufferOverlaps[0];
  if (conflict) {
    const who = `${appointmentClientName(conflict.appointment.client)}, ${formatRange(conflict, zoneOf(zone, conflict.appointment))}`;
    return (
      <p className="border-l-4 border-danger pl-3 font-semibold text-danger">
        {overlaps.length > 0
          ? `Overlaps ${who}. Pick another time.`
          : `Leaves no buffer beside ${who}. Saving asks first.`}
      </p>
    );
  }
  if (isOutsideHours)
    return (
      <p className="border-l-4 border-main pl-3">
        Outside your opening hours. You may still pick it.
      </p>
    );
  return <p className="border-l-4 border-success pl-3 text-success">This time is free.</p>;
}

function useTypedTime(): TypedTime {
  const [date, time, minutes] = useWatch({ name: ['date', 'time', 'minutes'] });
  return { date: String(date ?? ''), time: String(time ?? ''), minutes: String(minutes ?? '') };
}

/** The range's `end` is excluded, but `formatTimeRange` takes the last minute, included. */
function formatRange({ start, end }: TimeRange, zone: StudioZone): string {
  return formatTimeRange(start, end - MINUTE_MS, zone);
}
