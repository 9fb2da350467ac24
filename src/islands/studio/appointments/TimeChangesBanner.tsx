import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import type { TimeChange } from '#contract/time_changes.ts';
import { describeTimeZone } from '#domain/time/describe_time_zone.ts';
import { formatDuration } from '#domain/time/duration.ts';
import { formatShortDateAndTime, formatTime, localDateAt } from '#domain/time/format_time.ts';
import { type StudioZone, zoneOf } from '#domain/time/zone_offsets.ts';
import {
  $timeChanges,
  answerAll,
  canMailClient,
  minutesLater,
} from '#stores/studio/time_changes.ts';
import { ActionButton, LinkButton } from '../buttons.tsx';
import { AppointmentLink } from '../home/AppointmentLink.tsx';
import { Icon } from '../Icon.tsx';
import { appointmentClientName, formatNotMailed } from './labels.ts';

/** How many appointments are shown at first; both answers are for all. */
const FIRST_SHOWN = 3;

/** When the clock rules of the zone have changed, asks whether appointments keep their clock time or their moment. */
export function TimeChangesBanner({ me }: { me: CurrentArtist }) {
  const { data: changes } = useStore($timeChanges);
  const [mailsClients, setMailsClients] = useState(false);
  const [showsAll, setShowsAll] = useState(false);

  if (!changes || changes.count === 0) return null;
  const { data, count } = changes;
  const isOne = count === 1;
  const clients = data.map((change) => ({ ...change, isMailed: canMailClient(change) }));

  return (
    <details
      aria-labelledby="time-changes"
      className="group card border-l-4 border-l-main wrap-anywhere"
    >
      <summary className="flex cursor-pointer items-start gap-2 p-4">
        <Icon name="hours" className="mt-0.5 size-6 shrink-0" />
        <span>
          <h2 id="time-changes" className="text-lg">
            {`${isOne ? 'This appointment' : `These ${count} appointments`} would begin ${formatShift(data, me.studio)}`}
          </h2>
          <span className="link group-open:hidden">Look and decide</span>
        </span>
      </summary>
      <div className="grid grid-cols-1 gap-3 px-4 pb-4">
        <p>
          {`The clock rules of ${describeTimeZone(me.studio.time_zone)} have changed since ${isOne ? 'its time was' : 'their times were'} agreed. Keep the clock ${isOne ? 'time, and it begins as agreed. Leave it, and it begins' : 'times, and they begin as agreed. Leave them, and they begin'} as shown here under “Now”.`}
        </p>
        <ul className="grid">
          {data.slice(0, showsAll ? data.length : FIRST_SHOWN).map((change) => (
            <AppointmentLink
              key={change.id}
              href={`/studio/appointments?id=${change.id}`}
              name={appointmentClientName(change.client)}
              text={formatChange(change, me.studio)}
            />
          ))}
        </ul>
        {!showsAll && data.length > FIRST_SHOWN && (
          <LinkButton
            label={`Show ${data.length === count ? 'all' : 'the first'} ${data.length}`}
            className="justify-self-start"
            onClick={() => setShowsAll(true)}
          />
        )}
        <label className="flex min-h-11 cursor-pointer items-center gap-3 justify-self-start font-semibold">
          <input
            type="checkbox"
            aria-describedby="time-changes-mail"
            checked={mailsClients}
            onChange={({ target }) => setMailsClients(target.checked)}
            className="size-5 shrink-0 accent-main"
          />
          <span>Tell the clients</span>
        </label>
        <div id="time-changes-mail" className="-mt-3 grid gap-1 pl-8 text-sm text-muted">
          <p>
            {`If you keep the clock ${isOne ? 'time' : 'times'}, only this mail corrects the ${isOne ? 'entry in their calendar' : 'entries in their calendars'}.`}
          </p>
          <p className="empty:hidden">{formatNotMailed(clients)}</p>
        </div>
        <div className="flex flex-wrap gap-3">
          <ActionButton
            label={isOne ? 'Keep the clock time' : 'Keep the clock times'}
            look="main"
            onAct={() => answerAll(changes, 'clock_times', mailsClients)}
          />
          <ActionButton
            label={isOne ? 'Leave it' : 'Leave them'}
            onAct={() => answerAll(changes, 'moments', mailsClients)}
          />
        </div>
      </div>
    </details>
  );
}

/** Such as 'an hour later', if that is true of all. */
function formatShift(changes: readonly TimeChange[], studio: StudioZone): string {
  const shifts = changes.map((change) => minutesLater(change, studio));
  const [shift] = shifts;
  if (shift === undefined || shifts.some((other) => other !== shift)) return 'at other clock times';
  const size = Math.abs(shift);
  return `${size === 60 ? 'an hour' : formatDuration(size)} ${shift > 0 ? 'later' : 'earlier'}`;
}

/** 'Agreed: Tue, Jan 13, 2027, 10:00 AM. Now: 11:00 AM.' */
function formatChange({ start, agreed, offsets }: TimeChange, studio: StudioZone): string {
  if (start === null) return '';
  const zone = zoneOf(studio, { offsets });
  const isSameDay = localDateAt(zone, start) === agreed.local.slice(0, 10);
  const now = isSameDay ? formatTime(start, zone) : formatShortDateAndTime(start, zone);
  return `Agreed: ${formatShortDateAndTime(`${agreed.local}Z`, 'UTC')}. Now: ${now}.`;
}
