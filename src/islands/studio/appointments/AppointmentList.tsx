import { useStore } from '@nanostores/react';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import {
  $appointmentList,
  $filter,
  $urlState,
  APPOINTMENTS_PER_PAGE,
  type AppointmentFilter,
  appointmentUrl,
  goToPage,
  openAppointment,
} from '#stores/studio/appointments.ts';
import { CopyButton } from '../CopyButton.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { LoadableView } from '../LoadableView.tsx';
import { Pagination } from '../Pagination.tsx';
import { clientName, formatAppointmentTime, formatSubject } from './labels.ts';
import { StatusBadge } from './StatusBadge.tsx';

/** A page of the appointments that were asked for. */
export function AppointmentList({ me }: { me: CurrentArtist }) {
  const list = useStore($appointmentList);
  return (
    <LoadableView value={list} label="appointments" onRetry={$appointmentList.revalidate}>
      {(listed) => <AppointmentPage me={me} listed={listed} />}
    </LoadableView>
  );
}

function AppointmentPage({
  me,
  listed: { data, count },
}: {
  me: CurrentArtist;
  listed: ListPage<Appointment>;
}) {
  const { search, skip, openId: id } = useStore($urlState);
  const show = useStore($filter);
  if (count === 0)
    return search === '' ? <NoAppointments me={me} show={show} /> : <NoSearchResults />;
  return (
    <div className="grid gap-5">
      <ul className="grid gap-3" aria-label="Appointments">
        {data.map((appointment) => (
          <AppointmentCard
            key={appointment.id}
            appointment={appointment}
            zone={me.studio.time_zone}
            isOpen={appointment.id === id}
            // Elsewhere all of them stand alike.
            hasStatusBadge={show !== 'requests' && show !== 'upcoming'}
          />
        ))}
      </ul>
      <Pagination
        skip={skip}
        limit={APPOINTMENTS_PER_PAGE}
        count={count}
        label="appointments"
        onSkipChange={goToPage}
      />
    </div>
  );
}

interface AppointmentCardProps {
  appointment: Appointment;
  zone: string;
  isOpen: boolean;
  hasStatusBadge: boolean;
}

function AppointmentCard({
  appointment,
  zone,
  isOpen,
  hasStatusBadge: showsStatus,
}: AppointmentCardProps) {
  const { id, status, client, created_at } = appointment;
  return (
    <li>
      <a
        href={appointmentUrl(id)}
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
          {showsStatus && <StatusBadge status={status} />}
        </span>
        <span>{formatAppointmentTime(appointment, zone) ?? formatReceived(created_at, zone)}</span>
        <span className="text-muted">{formatSubject(appointment)}</span>
      </a>
    </li>
  );
}

function formatReceived(when: string, zone: string): string {
  return `Came in ${new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: zone }).format(new Date(when))}`;
}

function NoSearchResults() {
  return (
    <EmptyState title="Nobody found">
      <p>Look for a part of a name or an email address, or look in All.</p>
    </EmptyState>
  );
}

const EMPTY_LABELS: Record<AppointmentFilter, { title: string; text: string }> = {
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

function NoAppointments({ me, show }: { me: CurrentArtist; show: AppointmentFilter }) {
  const { title, text } = EMPTY_LABELS[show];
  return (
    <EmptyState title={title}>
      <p>{text}</p>
      {show !== 'past' && (
        <CopyButton
          text={`${location.origin}/${me.username}/`}
          label="Copy the link to your page"
        />
      )}
    </EmptyState>
  );
}
