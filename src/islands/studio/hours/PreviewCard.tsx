import { useStore } from '@nanostores/react';
import type { CurrentArtist } from '#contract/artist.ts';
import type { Service } from '#contract/service.ts';
import type { PreviewDay } from '#domain/booking/availability_preview.ts';
import { pluralize } from '#domain/time/duration.ts';
import { formatDay, formatShortDayAndTime, formatTime } from '#domain/time/format_time.ts';
import { $allServices } from '#stores/studio/choices.ts';
import { $appointmentsAhead, type HoursEditor, wouldBooksBeOpen } from '#stores/studio/hours.ts';
import { $now } from '#stores/studio/now.ts';
import { TextLink } from '../buttons.tsx';
import { QueryView } from '../LoadableView.tsx';

const DAY_STATE_LABELS: Record<Exclude<PreviewDay['state'], 'open'>, string> = {
  closed: 'Closed',
  off: 'Day off',
  full: 'No times left',
  beyond: 'Cannot be booked yet',
};

interface PreviewCardProps {
  me: CurrentArtist;
  editor: HoursEditor;
}

/** A preview of the bookable times of the next two weeks, updated while the artist edits. */
export function PreviewCard({ me, editor }: PreviewCardProps) {
  return (
    <section
      id="preview"
      className="card p-5 lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto"
      aria-labelledby="preview-heading"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: on a wide screen it scrolls by itself.
      tabIndex={0}
    >
      <h2 id="preview-heading" className="text-2xl">
        The next two weeks
      </h2>
      {/* This one only waits: `editor.$preview` reads the appointments itself. */}
      <QueryView query={$appointmentsAhead} label="preview">
        {() => (
          <QueryView query={$allServices} label="services">
            {(services) => <Preview me={me} editor={editor} services={services} />}
          </QueryView>
        )}
      </QueryView>
    </section>
  );
}

function Preview({ me, editor, services }: PreviewCardProps & { services: readonly Service[] }) {
  const preview = useStore(editor.$preview);
  return (
    <>
      <BooksClosedNote me={me} editor={editor} />
      <ServiceField editor={editor} services={services} />
      <OutsideHoursNotice editor={editor} />
      {preview === null ? (
        <p className="mt-4 text-danger">Mend what is marked in your hours to see the times.</p>
      ) : (
        <ol className="mt-3 divide-y divide-line">
          {preview.map((day) => (
            <DayRow key={day.date} day={day} editor={editor} />
          ))}
        </ol>
      )}
    </>
  );
}

/** Says that the books are closed, or would be with the edited booking range; nothing while open. */
export function BooksClosedNote({ me, editor }: PreviewCardProps) {
  const { settings } = useStore(editor.$validation);
  const isOpen = wouldBooksBeOpen(me, settings, useStore($now));
  return isOpen ? null : <p>Your books are closed: nobody can book these times.</p>;
}

/** Chooses the service whose times the preview shows; without one, says that it shows all free time. */
function ServiceField({ editor, services }: { editor: HoursEditor; services: readonly Service[] }) {
  const service = useStore(editor.$service);
  const bookable = services.filter(({ is_available }) => is_available);
  if (!service)
    return (
      <p className="mt-2 text-muted">
        {bookable.length === 0 ? (
          <>
            <span>Your free time. </span>
            <a href="/studio/services" className="link">
              Add a service
            </a>
            <span> to see the times that clients can pick.</span>
          </>
        ) : (
          'Your free time: clients send requests, and you pick the time.'
        )}
      </p>
    );
  return (
    <div className="mt-2">
      <label htmlFor="preview-service" className="text-muted">
        As clients will see it, for
      </label>
      <select
        id="preview-service"
        className="input mt-1"
        value={service.id}
        onChange={({ target }) => editor.selectService(target.value)}
      >
        {bookable.map(({ id, name, duration }) => (
          <option key={id} value={id}>
            {`${name} (${duration} min)`}
          </option>
        ))}
      </select>
    </div>
  );
}

function DayRow({ day, editor }: { day: PreviewDay; editor: HoursEditor }) {
  const { date, state, times } = day;
  const service = useStore(editor.$service);
  const zone = editor.zone();
  return (
    <li className="py-2.5">
      <h3 className="font-sans text-base font-semibold">{formatDay(date)}</h3>
      {state === 'open' ? (
        <ul className="mt-1 flex flex-wrap gap-1.5" aria-label={`Times on ${formatDay(date)}`}>
          {times.map(({ start, end }) => (
            <li
              key={start}
              className="rounded border border-line px-1.5 py-0.5 text-sm tabular-nums"
            >
              {service
                ? formatTime(start, zone)
                : `${formatTime(start, zone)} – ${formatTime(end, zone)}`}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-muted">{DAY_STATE_LABELS[state]}</p>
      )}
    </li>
  );
}

const MAX_LISTED = 5;

/** Lists appointments outside the edited hours, because changed hours do not move them. */
function OutsideHoursNotice({ editor }: { editor: HoursEditor }) {
  const appointments = useStore(editor.$appointmentsOutsideHours);
  if (appointments.length === 0) return null;
  const zone = editor.zone();
  const unlistedCount = appointments.length - MAX_LISTED;
  return (
    <div className="mt-4 rounded-lg border border-line bg-paper p-3" role="status">
      <p className="font-semibold">
        {`${pluralize(appointments.length, 'appointment')} ${appointments.length === 1 ? 'is' : 'are'} outside these hours.`}
      </p>
      <p className="text-muted">They stay as they are, unless you move or cancel them.</p>
      <ul className="mt-1">
        {appointments.slice(0, MAX_LISTED).map(({ appointment: { id, client }, start }) => (
          <li key={id}>
            <TextLink
              label={`${formatShortDayAndTime(start, zone)}${client.first_name === null ? '' : `, ${client.first_name}`}`}
              href={`/studio/appointments?id=${id}`}
            />
          </li>
        ))}
      </ul>
      {unlistedCount > 0 && <p>{`and ${unlistedCount} more`}</p>}
    </div>
  );
}
