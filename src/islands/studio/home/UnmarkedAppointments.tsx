import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import { $markProgress, $unmarkedAppointments } from '#stores/studio/appointments.ts';
import { formatAppointmentTime } from '#stores/studio/booked_appointments.ts';
import { appointmentClientName } from '../appointments/labels.ts';
import { AllCompletedButton, MarkButtons } from '../appointments/MarkButtons.tsx';
import { ButtonLink } from '../buttons.tsx';
import { useUnsavedChangesWarning } from '../form_hooks.ts';
import { QueryView } from '../LoadableView.tsx';
import { AppointmentLink } from './AppointmentLink.tsx';

/** Past appointments without a mark of whether the client came; nothing while there are none. */
export function UnmarkedAppointments({ me }: { me: CurrentArtist }) {
  return (
    <QueryView query={$unmarkedAppointments} label="appointments to mark" room="line">
      {({ data, count }) => <UnmarkedList data={data} count={count} me={me} />}
    </QueryView>
  );
}

interface UnmarkedListProps extends ListPage<Appointment> {
  me: CurrentArtist;
}

function UnmarkedList({ data, count, me }: UnmarkedListProps) {
  const hasMarked = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useUnsavedChangesWarning(useStore($markProgress) !== null);
  useEffect(() => {
    // The pressed button is gone with its appointment; without it the browser focuses the body.
    if (hasMarked.current && document.activeElement === document.body) heading.current?.focus();
  }, [data]);
  // After the last mark the section stays for its focus, until the page is left.
  if (count === 0 && !hasMarked.current) return null;
  return (
    <section aria-labelledby="unmarked" className="card grid gap-3 p-5">
      <h2 ref={heading} id="unmarked" tabIndex={-1} className="text-xl">
        {count === 0 ? 'Past appointments to mark' : `Past appointments to mark (${count})`}
      </h2>
      {count === 0 ? (
        <p className="text-muted">All are marked.</p>
      ) : (
        <>
          <p className="text-muted">
            Did the client come? Nobody is mailed; the page of their appointment shows it.
          </p>
          <AllCompletedButton appointments={data} count={count} hasMarked={hasMarked} />
          <ul className="grid">
            {data.map((appointment) => (
              <AppointmentLink
                key={appointment.id}
                href={`/studio/appointments?show=unmarked&id=${appointment.id}`}
                name={appointmentClientName(appointment.client)}
                actions={<MarkButtons appointment={appointment} hasMarked={hasMarked} />}
              >
                <span className="block">{formatAppointmentTime(appointment, me.studio)}</span>
              </AppointmentLink>
            ))}
          </ul>
          {count > data.length && (
            <ButtonLink label={`Show all ${count}`} href="/studio/appointments?show=unmarked" />
          )}
        </>
      )}
    </section>
  );
}
