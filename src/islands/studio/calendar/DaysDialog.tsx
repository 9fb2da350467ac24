import { useEffect, useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { dayKindOn } from '#domain/booking/availability_preview.ts';
import { toTypedHours } from '#domain/booking/opening_hours.ts';
import {
  addDays,
  type DateRange,
  datesBetween,
  type LocalDate,
  laterDate,
} from '#domain/time/calendar_date.ts';
import { pluralize } from '#domain/time/duration.ts';
import {
  formatClockTime,
  formatDay,
  formatDayWithYear,
  formatShortDayAndTime,
} from '#domain/time/format_time.ts';
import { type StudioZone, zoneOf } from '#domain/time/zone_offsets.ts';
import { $bookedOnDates, $shownDates, touchesDates } from '#stores/studio/booked_appointments.ts';
import { closeDates, reopenDates, showCalendar } from '#stores/studio/calendar.ts';
import { MAX_DAYS_AT_ONCE } from '#stores/studio/hours_draft.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { DateField } from '../../forms/DateField.tsx';
import { appointmentClientName } from '../appointments/labels.ts';
import { Button, ButtonLink, TextLink, useOneAction } from '../buttons.tsx';
import { useNightBeforeQuestion } from '../hours/night_before.tsx';
import { QueryView } from '../LoadableView.tsx';
import { formatDayHours } from './labels.ts';

/** Days that the artist selected on the calendar, first and last included. */
export interface SelectedDays extends DateRange {
  /** The selected wall-clock time, `YYYY-MM-DDTHH:MM`, with the next date after midnight; null for none. */
  readonly start: string | null;
}

interface DaysDialogProps {
  me: CurrentArtist;
  selectedDays: SelectedDays;
  onClose: () => void;
}

/** For selected days: enter an appointment, take the days off, or open them again. */
export function DaysDialog({ me, selectedDays, onClose }: DaysDialogProps) {
  const { schedule } = me;
  const [first, setFirst] = useState(selectedDays.first);
  const [last, setLast] = useState(selectedDays.last);
  const buttonProps = useOneAction();
  // While one date is being changed, `last` may lie before `first`.
  const until = laterDate(first, last);
  const isValid = first !== '' && until <= addDays(first, MAX_DAYS_AT_ONCE);
  // The field is empty while the artist clears it.
  const typedHours = toTypedHours(schedule, first || selectedDays.first);
  const kinds = isValid
    ? datesBetween(first, until).map((date) => dayKindOn(typedHours, date))
    : [];
  // `own`: the day has other hours than the weekly ones.
  const canReopen = kinds.some((kind) => kind === 'off' || kind === 'own');
  const canClose = kinds.some((kind) => kind === 'open' || kind === 'own');
  // The selected time is of the selected first day only.
  const start = first === selectedDays.first ? selectedDays.start : null;
  const isOneDay = first === until;
  const { question, endsNight } = useNightBeforeQuestion(typedHours, canClose ? first : null);

  /** The props of a button that closes the dialog once it has saved. */
  function saveProps(name: string, save: () => Promise<boolean>) {
    return buttonProps(name, async () => {
      if (await save()) onClose();
    });
  }

  return (
    <Dialog title={first === '' ? 'Days' : formatDayWithYear(first, 'UTC')} onClose={onClose}>
      <p className="text-muted">{first !== '' && formatDayHours(schedule, first)}</p>
      <div className="mt-4 grid gap-x-4 sm:grid-cols-2">
        <DateField
          label="Day"
          value={first}
          error={first === '' ? 'Enter a day' : null}
          onChange={(date) => {
            // While only one day is selected, it is also the last.
            if (last === first) setLast(date);
            setFirst(date);
          }}
        />
        <DateField
          label="Until, for several days off"
          value={until}
          min={first}
          error={first !== '' && !isValid ? 'At most a year at once' : null}
          onChange={setLast}
        />
      </div>
      {isValid && (
        <div className="grid gap-3">
          <ButtonLink
            label={
              start === null
                ? 'Enter an appointment'
                : `Enter an appointment at ${formatStart(start, first)}`
            }
            look="main"
            href={`/studio/appointments?enter=${start ?? first}`}
          />
          {question}
          {canClose && <BookedOnDates studio={me.studio} first={first} last={until} />}
          {canClose && (
            <BusyButton {...saveProps('close', () => closeDates(first, until, endsNight))}>
              {isOneDay ? 'Take this day off' : `Take these ${kinds.length} days off`}
            </BusyButton>
          )}
          {canReopen && (
            <BusyButton {...saveProps('reopen', () => reopenDates(first, until))}>
              {isOneDay ? 'Open this day again' : 'Open these days again'}
            </BusyButton>
          )}
          <Button
            label="Show this day"
            onClick={() => {
              showCalendar({ view: 'day', date: first });
              onClose();
            }}
          />
          <p className="text-sm text-muted">
            <span>For other hours on a day, or every week, go to </span>
            <a href="/studio/hours" className="link">
              Hours
            </a>
            <span>.</span>
          </p>
        </div>
      )}
    </Dialog>
  );
}

/** '12:30 AM on Saturday, December 5'; without the date if it is `day`. @param start `YYYY-MM-DDTHH:MM` */
function formatStart(start: string, day: LocalDate): string {
  const [date = '', time = ''] = start.split('T');
  return formatClockTime(time) + (date === day ? '' : ` on ${formatDay(date)}`);
}

/** Lists the appointments on dates, both included: they stay when the artist takes the dates off. */
export function BookedOnDates({ studio, first, last }: DateRange & { studio: StudioZone }) {
  useEffect(() => $shownDates.set({ first, last }), [first, last]);
  useEffect(() => () => $shownDates.set(null), []);
  const when = first === last ? 'this day' : 'these days';
  return (
    <QueryView query={$bookedOnDates} label="bookings" room="line">
      {(all) => {
        const booked = all.filter((one) => touchesDates(one, { first, last }, studio));
        return (
          <div role="status">
            {booked.length === 0 ? (
              // As high as while it loads: another height would move the button that the artist is pressing.
              <p className="flex min-h-11 items-center text-muted">{`Nobody is booked on ${when}.`}</p>
            ) : (
              <>
                <p className="font-semibold">
                  {`${pluralize(booked.length, 'appointment')} ${booked.length === 1 ? 'stays' : 'stay'} on ${when}:`}
                </p>
                <ul className="max-h-56 overflow-y-auto">
                  {booked.map(({ appointment, start }) => (
                    <li key={appointment.id}>
                      <TextLink
                        label={`${formatShortDayAndTime(start, zoneOf(studio, appointment))}: ${appointmentClientName(appointment.client)}`}
                        className="wrap-anywhere"
                        href={`/studio/appointments?id=${appointment.id}`}
                      />
                    </li>
                  ))}
                </ul>
              </>
            )}
          </div>
        );
      }}
    </QueryView>
  );
}
