import { useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { formatAddressLines } from '#domain/appointments/calendar_event.ts';
import {
  studioChangeText,
  ZONE_CHANGE_MODES,
  type ZoneChangeMode,
} from '#domain/studio/studio_change.ts';
import { formatDuration, pluralize } from '#domain/time/duration.ts';
import {
  formatShortDateAndTime,
  formatShortDay,
  formatTime,
  localDateAt,
} from '#domain/time/format_time.ts';
import { MINUTE_MS } from '#domain/time/time.ts';
import { timeZoneCity } from '#domain/time/time_zone.ts';
import {
  countBegun,
  countMails,
  type StudioAnswer,
  type StudioQuestion,
  startAfter,
} from '#stores/studio/studio_change.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { appointmentClientName, formatNotMailed } from '../appointments/labels.ts';
import { Button } from '../buttons.tsx';

interface StudioChangeDialogProps {
  me: CurrentArtist;
  question: StudioQuestion;
  /** Null when the artist cancels. */
  onAnswer: (answer: StudioAnswer | null) => void;
}

/** Asks whether clients are informed of a new address or time zone, and how appointments keep their times. */
export function StudioChangeDialog({ me, question, onAnswer }: StudioChangeDialogProps) {
  const [keep, setKeep] = useState<ZoneChangeMode>('moments');
  const { clients } = countMails(question, keep);
  const answer = (tell_clients: boolean) => onAnswer({ tell_clients, keep });
  return (
    <Dialog
      title={clients > 0 ? `Tell ${pluralize(clients, 'client')}?` : 'What stays?'}
      onClose={() => onAnswer(null)}
    >
      <div className="grid gap-5 wrap-anywhere">
        {question.change.hasNewZone && (
          <ZoneChangeFields question={question} keep={keep} onChange={setKeep} />
        )}
        {clients > 0 && <MailPreview me={me} question={question} keep={keep} />}
      </div>
      {/* Sticky: on a phone the answers stay visible below a long question. */}
      <div className="sticky bottom-0 z-10 -mx-5 mt-6 -mb-5 flex flex-wrap gap-3 border-t border-line bg-paper px-5 py-4 sm:-mx-6 sm:-mb-6 sm:px-6">
        {clients > 0 ? (
          <>
            <Button label="Yes" look="main" onClick={() => answer(true)} />
            <Button label="No, I only corrected it" onClick={() => answer(false)} />
          </>
        ) : (
          <Button label="Save" look="main" onClick={() => answer(false)} />
        )}
        <Button label="Cancel" look="quiet" onClick={() => onAnswer(null)} />
      </div>
    </Dialog>
  );
}

const ZONE_CHANGE_TITLES: Record<ZoneChangeMode, string> = {
  moments: 'Appointments stay at the same moment.',
  clock_times: 'Appointments stay at the same time on the clock.',
};

interface ZoneChangeFieldsProps {
  question: StudioQuestion;
  keep: ZoneChangeMode;
  onChange: (keep: ZoneChangeMode) => void;
}

function ZoneChangeFields({ question, keep, onChange }: ZoneChangeFieldsProps) {
  const begunCount = countBegun(question, keep);
  const count = question.appointments.length;
  return (
    <fieldset className="grid gap-3">
      <legend className="pb-3">
        {count === 1
          ? 'What happens to your upcoming appointment?'
          : `What happens to your ${count} upcoming appointments?`}
      </legend>
      {ZONE_CHANGE_MODES.map((choice) => (
        <label
          key={choice}
          className="flex cursor-pointer gap-3 rounded-lg border border-field p-4 has-checked:border-ink"
        >
          <input
            type="radio"
            name="keep"
            checked={keep === choice}
            onChange={() => onChange(choice)}
            className="mt-1 size-5 shrink-0 accent-main"
          />
          <span className="min-w-0">
            <span className="block font-semibold">{ZONE_CHANGE_TITLES[choice]}</span>
            <span className="block text-muted">{formatConsequence(question, choice)}</span>
            <span className="mt-1 block">{formatExample(question, choice)}</span>
          </span>
        </label>
      ))}
      <p role="status" className="empty:hidden">
        {begunCount > 0 &&
          `By these clock times, ${pluralize(begunCount, 'appointment')} ${begunCount === 1 ? 'has' : 'have'} begun already. Their clients are not mailed, and unconfirmed ones end.`}
      </p>
    </fieldset>
  );
}

interface MailPreviewProps {
  me: CurrentArtist;
  question: StudioQuestion;
  keep: ZoneChangeMode;
}

/** The subject and the first sentences of the mail, with the first appointment as an example. */
function MailPreview({ me, question, keep }: MailPreviewProps) {
  const { change, to, studio, appointments, now } = question;
  const { mails } = countMails(question, keep);
  const { title, news, consequence } = studioChangeText(change, keep);
  const example = appointments.find((one) => one.isMailed && startAfter(question, one, keep) > now);
  const start = example && startAfter(question, example, keep);
  // The mail of an artist whose email is not confirmed names neither them nor their address.
  const artist = me.email_proven ? me.full_name : 'your artist';
  const artistAtStart = me.email_proven ? me.full_name : 'Your artist';
  return (
    <figure className="rounded-lg border border-line p-4">
      <figcaption className="text-muted">
        {mails === 1 ? 'The mail' : `${mails} mails, one for each appointment`}
      </figcaption>
      {start !== undefined && (
        <p className="mt-1 font-semibold">
          {`${title}: ${formatShortDay(start, to)} at ${formatTime(start, to)} with ${artist}`}
        </p>
      )}
      <p className="mt-1">{`${artistAtStart}’s studio has ${news}. ${consequence}`}</p>
      {me.email_proven && (
        <dl className="mt-2">
          <dt className="text-muted">Where</dt>
          {[studio.name, ...formatAddressLines(studio)].map((line) => (
            <dd key={line}>{line}</dd>
          ))}
        </dl>
      )}
      <p className="mt-2 text-muted empty:hidden">{formatNotMailed(appointments)}</p>
    </figure>
  );
}

function formatConsequence(question: StudioQuestion, keep: ZoneChangeMode): string {
  if (keep === 'moments') return 'The studio’s clock shows another time.';
  const shifts = question.appointments.map((one) => startAfter(question, one, keep) - one.start);
  const [shift = 0] = shifts;
  // Where only one of the zones has summer time, the difference is not the same all year.
  if (shifts.some((other) => other !== shift)) return 'They happen at other moments.';
  return `They happen ${formatShift(shift)}.`;
}

function formatExample(question: StudioQuestion, keep: ZoneChangeMode): string {
  const { to, appointments } = question;
  const [example] = appointments;
  if (!example) return '';
  const { start, zone } = example;
  const name = appointmentClientName(example.client);
  if (keep === 'moments') {
    const isSameDay = localDateAt(zone, start) === localDateAt(to, start);
    const before = `${formatShortDateAndTime(start, zone)} (${timeZoneCity(zone.time_zone)})`;
    const after = isSameDay ? formatTime(start, to) : formatShortDateAndTime(start, to);
    return `${name}: ${before} becomes ${after} (${timeZoneCity(to.time_zone)})`;
  }
  const newStart = startAfter(question, example, keep);
  return `${name}: stays at ${formatTime(newStart, to)}, ${formatShift(newStart - start)}`;
}

function formatShift(milliseconds: number): string {
  if (milliseconds === 0) return 'at the same moment';
  const duration = formatDuration(Math.round(Math.abs(milliseconds) / MINUTE_MS));
  return `${duration} ${milliseconds > 0 ? 'later' : 'earlier'}`;
}
