import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import type { CurrentArtist } from '#contract/artist.ts';
import type { TimeRange } from '#domain/availability.ts';
import { formatDuration } from '#domain/duration.ts';
import { formatDay, formatTimeRange, localDateIn } from '#domain/format_time.ts';
import { toStudioTime } from '#domain/studio_time.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { computeFreeTimesOn, detectConflicts, type TimeConflicts } from '#domain/time_conflicts.ts';
import {
  $appointmentsAroundDay,
  selectDay,
  withoutAppointment,
} from '#stores/studio/appointments_around_day.ts';
import type { BookedAppointment } from '#stores/studio/booked_appointments.ts';
import { $now } from '#stores/studio/now.ts';
import { TextField } from '../../forms/fields.tsx';
import { LoadableView } from '../LoadableView.tsx';
import { clientName } from './labels.ts';
import { isDate, parseTypedTime, type TypedTime } from './time_form.ts';

interface TimeFieldsProps {
  me: CurrentArtist;
  /** An appointment that is being moved is not in its own way. */
  excludedId?: string | null;
}

/**
 * A day, a time and a length in the studio's zone, beside what that day holds. Inside a form with
 * the fields `date`, `time` and `minutes`.
 */
export function TimeFields({ me, excludedId: ignoring = null }: TimeFieldsProps) {
  const typed = useTypedTime();
  const zone = me.studio.time_zone;
  return (
    <div className="grid gap-x-8 gap-y-2 md:grid-cols-2">
      <div className="grid content-start gap-1">
        <TextField name="date" label="Day" type="date" required />
        <div className="grid grid-cols-2 gap-4">
          <TextField name="time" label="Start" type="time" step={300} required />
          <TextField
            name="minutes"
            label="Minutes"
            type="number"
            inputMode="numeric"
            min={5}
            max={1440}
            step={5}
            required
          />
        </div>
        <DurationButtons />
        <p className="text-sm text-muted">Times in {zone}</p>
      </div>
      <DayPreview me={me} typed={typed} ignoring={ignoring} />
    </div>
  );
}

const COMMON_DURATIONS = [60, 120, 180, 240, 360];

/** The usual lengths, one touch away. */
function DurationButtons() {
  const { setValue } = useFormContext();
  const { minutes } = useTypedTime();
  return (
    <fieldset className="mb-3 flex flex-wrap gap-2">
      <legend className="sr-only">Usual lengths</legend>
      {COMMON_DURATIONS.map((length) => (
        <button
          key={length}
          type="button"
          aria-pressed={minutes === String(length)}
          className="min-h-11 cursor-pointer rounded-lg border border-field px-3 font-semibold aria-pressed:border-main aria-pressed:bg-main aria-pressed:text-on-main"
          onClick={() =>
            setValue('minutes', String(length), { shouldDirty: true, shouldValidate: true })
          }
        >
          {length / 60} h<span className="sr-only">, {formatDuration(length)}</span>
        </button>
      ))}
    </fieldset>
  );
}

function DayPreview({
  me,
  typed,
  ignoring,
}: {
  me: CurrentArtist;
  typed: TypedTime;
  ignoring: string | null;
}) {
  const zone = me.studio.time_zone;
  const date = isDate(typed.date) ? typed.date : null;
  const around = useStore($appointmentsAroundDay);
  useEffect(() => selectDay(zone, date), [zone, date]);
  useEffect(() => () => selectDay(zone, null), [zone]);
  if (date === null) return <p className="text-muted">Pick a day to see what it holds.</p>;
  return (
    <section aria-labelledby="day-held" className="rounded-lg border border-line p-4">
      <h3 id="day-held" className="font-sans font-semibold">
        {formatDay(date)}
      </h3>
      <LoadableView value={around} label="day" onRetry={$appointmentsAroundDay.revalidate}>
        {(all) => (
          <DayPlan
            me={me}
            date={date}
            typedTime={typed}
            booked={withoutAppointment(all, ignoring)}
          />
        )}
      </LoadableView>
    </section>
  );
}

interface DayPlanProps {
  me: CurrentArtist;
  date: string;
  typedTime: TypedTime;
  booked: readonly BookedAppointment[];
}

function DayPlan({ me, date, typedTime: typed, booked: taken }: DayPlanProps) {
  const now = useStore($now);
  const zone = me.studio.time_zone;
  const plan = { zone, schedule: me.schedule, busyTimes: taken };
  const today = taken.filter((one) => overlapsDay(one, date, zone));
  const wanted = parseTypedTime(zone, typed);
  return (
    <div className="mt-2 grid gap-3">
      <TimeList name="Booked" none="Nothing yet.">
        {today.map(({ appointment, ...stretch }) => (
          <li key={appointment.id} className="wrap-anywhere">
            <span className="font-semibold">{formatRange(stretch, zone)}</span>{' '}
            {clientName(appointment.client)}
          </li>
        ))}
      </TimeList>
      <TimeList name="Open and free" none="Nothing: closed or full.">
        {computeFreeTimesOn(plan, date, now).map((stretch) => (
          <li key={stretch.start}>
            <FreeTimeButton stretch={stretch} zone={zone} />
          </li>
        ))}
      </TimeList>
      <div role="status">
        {wanted && <ConflictMessage conflicts={detectConflicts(plan, date, wanted)} zone={zone} />}
      </div>
    </div>
  );
}

/** Picks its beginning. */
function FreeTimeButton({ stretch, zone }: { stretch: TimeRange; zone: string }) {
  const { setValue } = useFormContext();
  const { date, time } = toStudioTime(zone, {
    start: Math.ceil(stretch.start / TIME_STEP_MS) * TIME_STEP_MS,
    end: stretch.end,
  });
  return (
    <button
      type="button"
      className="link inline-flex min-h-11 cursor-pointer items-center"
      onClick={() => {
        setValue('date', date, { shouldDirty: true, shouldValidate: true });
        setValue('time', time, { shouldDirty: true, shouldValidate: true });
      }}
    >
      {formatRange(stretch, zone)}
    </button>
  );
}
/** What the field for a time steps by. */
const TIME_STEP_MS = 5 * MINUTE_MS;

function TimeList({
  name,
  none,
  children,
}: {
  name: string;
  none: string;
  children: readonly React.ReactNode[];
}) {
  return (
    <div>
      <p className="text-sm font-semibold text-muted">{name}</p>
      {children.length === 0 ? <p>{none}</p> : <ul>{children}</ul>}
    </div>
  );
}

/** What speaks against the time that is typed, or that nothing does. */
function ConflictMessage({
  conflicts,
  zone,
}: {
  conflicts: TimeConflicts<BookedAppointment>;
  zone: string;
}) {
  const { overlaps, bufferOverlaps: tooClose, isOutsideHours } = conflicts;
  const inTheWay = overlaps[0] ?? tooClose[0];
  if (inTheWay)
    return (
      <p className="border-l-4 border-danger pl-3 font-semibold text-danger">
        {overlaps.length > 0 ? 'Overlaps' : 'Leaves no buffer beside'}{' '}
        {clientName(inTheWay.appointment.client)}, {formatRange(inTheWay, zone)}. Pick another time.
      </p>
    );
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

function overlapsDay({ start, end }: TimeRange, date: string, zone: string): boolean {
  return localDateIn(zone, start) <= date && localDateIn(zone, end - MINUTE_MS) >= date;
}

function formatRange({ start, end }: TimeRange, zone: string): string {
  return formatTimeRange(start, end - MINUTE_MS, zone);
}
