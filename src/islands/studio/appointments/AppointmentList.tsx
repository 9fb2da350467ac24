import { useStore } from '@nanostores/react';
import { type RefObject, useEffect, useRef } from 'react';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { formatLongDate } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import {
  $appointmentList,
  $filter,
  $markProgress,
  $urlState,
  APPOINTMENTS_PER_PAGE,
  type AppointmentFilter,
  appointmentUrl,
  goToPage,
  openAppointment,
} from '#stores/studio/appointments.ts';
import { formatAppointmentTime } from '#stores/studio/booked_appointments.ts';
import { onPlainClick } from '../../browser.ts';
import { CopyButton } from '../CopyButton.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { useUnsavedChangesWarning } from '../form_hooks.ts';
import { QueryView } from '../LoadableView.tsx';
import { Pagination } from '../Pagination.tsx';
import { EndedOffer } from './AppointmentHistory.tsx';
import { appointmentClientName, artistPageUrl, formatSubject } from './labels.ts';
import { AllCompletedButton, MarkButtons } from './MarkButtons.tsx';
import { StatusBadge } from './StatusBadge.tsx';

/** One page of the appointments that match the filter and the search. */
export function AppointmentList({ me }: { me: CurrentArtist }) {
  const { search, skip } = useStore($urlState);
  const filter = useStore($filter);
  const list = useRef<HTMLUListElement>(null);
  // Not in `AllCompletedButton`: its marking goes on when the artist selects another filter, without the button.
  useUnsavedChangesWarning(useStore($markProgress) !== null);
  return (
    <QueryView query={$appointmentList} label="appointments">
      {({ data, count }) => {
        if (count === 0 && search === '') return <NoAppointments me={me} filter={filter} />;
        if (count === 0)
          return (
            <EmptyState title="Nobody found">
              <p>Look for a part of a name or an email address, or look in All.</p>
            </EmptyState>
          );
        return (
          <div className="grid gap-5">
            {filter === 'unmarked' && <AllCompletedButton appointments={data} count={count} />}
            <ul
              ref={list}
              tabIndex={-1}
              className="grid gap-3 outline-none focus-visible:shadow-none"
              aria-label="Appointments"
            >
              {data.map((appointment) => (
                <AppointmentCard
                  key={appointment.id}
                  appointment={appointment}
                  zone={me.studio}
                  list={list}
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
      }}
    </QueryView>
  );
}

/** In each of these lists all appointments have the same status, so none shows it. */
const LISTS_OF_ONE_STATUS: readonly AppointmentFilter[] = ['requests', 'upcoming', 'unmarked'];

interface AppointmentCardProps {
  appointment: Appointment;
  zone: StudioZone;
  /** Takes the focus when the card is gone with the button that had it. */
  list: RefObject<HTMLUListElement | null>;
}

function AppointmentCard({ appointment, zone, list }: AppointmentCardProps) {
  const { openId } = useStore($urlState);
  const filter = useStore($filter);
  const { id, status, client, created_at } = appointment;
  const hasMarked = useRef(false);
  useEffect(
    () => () => {
      if (hasMarked.current && document.activeElement === document.body) list.current?.focus();
    },
    [list],
  );
  return (
    <li className="card has-[a:hover]:border-ink has-[a[aria-current]]:border-ink has-[a[aria-current]]:shadow-[inset_0.25rem_0_var(--color-main)]">
      <a
        href={appointmentUrl(id)}
        aria-current={id === openId || undefined}
        className="grid gap-1.5 rounded-[inherit] p-4 wrap-anywhere"
        onClick={onPlainClick(() => openAppointment(id))}
      >
        <span className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <span className="font-serif text-lg">{appointmentClientName(client)}</span>
          {!LISTS_OF_ONE_STATUS.includes(filter) && <StatusBadge status={status} />}
        </span>
        <span>
          {formatAppointmentTime(appointment, zone) ??
            `Came in ${formatLongDate(created_at, zone)}`}
        </span>
        <span className="text-muted">{formatSubject(appointment)}</span>
        <EndedOffer appointment={appointment} zone={zone} />
        {!appointment.email_proven && <span className="text-sm text-muted">Email not proven</span>}
      </a>
      {filter === 'unmarked' && (
        <div className="px-4 pb-4">
          <MarkButtons appointment={appointment} hasMarked={hasMarked} />
        </div>
      )}
    </li>
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
  unmarked: {
    title: 'Nothing to mark',
    text: 'Past appointments come here until you mark whether the client came.',
  },
  past: { title: 'Nothing has passed yet', text: 'Appointments come here once they are over.' },
  all: {
    title: 'No appointments yet',
    text: 'Share the link to your page, or enter an appointment that you agreed on elsewhere.',
  },
  alarm: {
    title: 'No unusual bookings',
    text: 'When unusually many bookings come in within a short time, they are listed here.',
  },
};

/** Sharing the artist's page does not fill these lists soon. */
const LISTS_WITHOUT_LINK: readonly AppointmentFilter[] = ['unmarked', 'past', 'alarm'];

function NoAppointments({ me, filter }: { me: CurrentArtist; filter: AppointmentFilter }) {
  const { title, text } = EMPTY_LABELS[filter];
  return (
    <EmptyState title={title}>
      <p>{text}</p>
      {!LISTS_WITHOUT_LINK.includes(filter) && (
        <CopyButton text={artistPageUrl(me)} label="Copy the link to your page" />
      )}
    </EmptyState>
  );
}
