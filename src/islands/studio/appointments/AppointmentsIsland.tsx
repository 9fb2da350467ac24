import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { isUndecided } from '#domain/appointments/appointment.ts';
import {
  $openAppointment,
  $openRivals,
  $urlState,
  hasEntryParam,
  openAppointment,
} from '#stores/studio/appointments.ts';
import { $dialog, openDialog, restoreDialog } from '#stores/studio/dialog.ts';
import { Button, LinkButton } from '../buttons.tsx';
import { createStudioPage } from '../create_studio_page.tsx';
import { Loading, QueryView, useAllLoaded } from '../LoadableView.tsx';
import { AppointmentDetail } from './AppointmentDetail.tsx';
import { AppointmentFilters } from './AppointmentFilters.tsx';
import { AppointmentList } from './AppointmentList.tsx';
import type { AppointmentProps } from './appointment_props.ts';
import { NewAppointmentDialog } from './NewAppointmentDialog.tsx';
import { BufferQuestion } from './TimeDialog.tsx';

/** The artist's requests and appointments: a list, and the open one beside it. */
export default createStudioPage('appointments', Appointments, {
  actions: (
    <Button
      label="Enter an appointment"
      icon="plus"
      look="main"
      onClick={() => openDialog('enter')}
    />
  ),
});

function Appointments({ me }: { me: CurrentArtist }) {
  const { openId } = useStore($urlState);
  const dialog = useStore($dialog);
  useEffect(() => {
    restoreDialog();
    // The calendar links here with `?enter=<start>`.
    if (hasEntryParam()) openDialog('enter');
  }, []);
  return (
    <>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] lg:gap-x-8">
        {/* Across both columns: in the first one there is no room for a row of filters. */}
        <div className={`lg:col-span-2 ${openId === null ? '' : 'max-lg:hidden'}`}>
          <AppointmentFilters />
        </div>
        <div className={openId === null ? 'lg:col-span-2' : 'max-lg:hidden'}>
          <AppointmentList me={me} />
        </div>
        {openId !== null && (
          <section
            aria-label="The appointment that is open"
            className="grid grid-cols-1 gap-4 lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto"
          >
            <LinkButton
              label="Back to the list"
              className="justify-self-start"
              onClick={() => openAppointment(null)}
            />
            <div className="card p-5">
              <QueryView query={$openAppointment} label="appointment">
                {(loaded) => <OpenAppointment key={loaded.id} me={me} appointment={loaded} />}
              </QueryView>
            </div>
          </section>
        )}
      </div>
      {dialog === 'enter' && <NewAppointmentDialog me={me} />}
      <BufferQuestion />
    </>
  );
}

/** Waits until its rivals have loaded too: their list would move the appointment's buttons. */
function OpenAppointment(props: AppointmentProps) {
  const rivals = useStore($openRivals);
  const isLoaded = useAllLoaded(...(isUndecided(props.appointment.status) ? [rivals] : []));
  return isLoaded ? <AppointmentDetail {...props} /> : <Loading label="appointment" />;
}
