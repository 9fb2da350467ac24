import { useStore } from '@nanostores/react';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import {
  $list,
  $place,
  $show,
  addressOf,
  LIMIT,
  openAppointment,
  type Show,
  turnTo,
} from '#stores/studio/appointments.ts';
import { CopyButton } from '../CopyButton.tsx';
import { Empty } from '../Empty.tsx';
import { Pager } from '../Pager.tsx';
import { Reading } from '../Reading.tsx';
import { StatusMark } from './StatusMark.tsx';
import { clientName, subject, timeWords } from './words.ts';

/** A page of the appointments that were asked for. */
export function List({ me }: { me: CurrentArtist }) {
  const list = useStore($list);
  return (
    <Reading value={list} what="appointments" onRetry={$list.revalidate}>
      {(listed) => <Page me={me} listed={listed} />}
    </Reading>
  );
}

function Page({
  me,
  listed: { data, count },
}: {
  me: CurrentArtist;
  listed: ListPage<Appointment>;
}) {
  const { search, skip, id } = useStore($place);
  const show = useStore($show);
  if (count === 0) return search === '' ? <Nothing me={me} show={show} /> : <NotFound />;
  return (
    <div className="grid gap-5">
      <ul className="grid gap-3" aria-label="Appointments">
        {data.map((appointment) => (
          <Card
            key={appointment.id}
            appointment={appointment}
            zone={me.studio.time_zone}
            isOpen={appointment.id === id}
            // Elsewhere all of them stand alike.
            showsStatus={show !== 'requests' && show !== 'upcoming'}
          />
        ))}
      </ul>
      <Pager skip={skip} limit={LIMIT} count={count} what="appointments" onSkip={turnTo} />
    </div>
  );
}

interface CardProps {
  appointment: Appointment;
  zone: string;
  isOpen: boolean;
  showsStatus: boolean;
}

function Card({ appointment, zone, isOpen, showsStatus }: CardProps) {
  const { id, status, client, created_at } = appointment;
  return (
    <li>
      <a
        href={addressOf(id)}
        aria-current={isOpen || undefined}
        className="card grid gap-1.5 p-4 wrap-anywhere hover:border-ink aria-[current]:border-ink aria-[current]:shadow-[inset_0.25rem_0_var(--color-main)]"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          openAppointment(id);
        }}
      >
        <span className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <span className="font-serif text-lg">{clientName(client)}</span>
          {showsStatus && <StatusMark status={status} />}
        </span>
        <span>{timeWords(appointment, zone) ?? cameIn(created_at, zone)}</span>
        <span className="text-muted">{subject(appointment)}</span>
      </a>
    </li>
  );
}

function cameIn(when: string, zone: string): string {
  return `Came in ${new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: zone }).format(new Date(when))}`;
}

function NotFound() {
  return (
    <Empty title="Nobody found">
      <p>Look for a part of a name or an email address, or look in All.</p>
    </Empty>
  );
}

const NOTHING: Record<Show, { title: string; text: string }> = {
  requests: {
    title: 'No requests are waiting',
    text: 'Share the link to your page: what clients ask there comes in here.',
  },
  waiting: {
    title: 'Nobody has a time to confirm',
    text: 'Times that you offer or clients pick stay here until they confirm. Share the link to your page to get more.',
  },
  upcoming: {
    title: 'Nothing is coming up',
    text: 'Share the link to your page, or enter an appointment that you agreed on elsewhere.',
  },
  past: { title: 'Nothing has passed yet', text: 'Appointments come here once they are over.' },
  all: {
    title: 'No appointments yet',
    text: 'Share the link to your page, or enter an appointment that you agreed on elsewhere.',
  },
};

function Nothing({ me, show }: { me: CurrentArtist; show: Show }) {
  const { title, text } = NOTHING[show];
  return (
    <Empty title={title}>
      <p>{text}</p>
      {show !== 'past' && (
        <CopyButton
          text={`${location.origin}/${me.username}/`}
          label="Copy the link to your page"
        />
      )}
    </Empty>
  );
}
