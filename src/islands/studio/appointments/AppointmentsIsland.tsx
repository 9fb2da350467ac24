import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import {
  $openAppointment,
  $urlState,
  openAppointment,
  parseEntryStart,
} from '#stores/studio/appointments.ts';
import { $dialog, closeDialog, openDialog, restoreDialog } from '#stores/studio/dialog.ts';
import { Icon } from '../Icon.tsx';
import { LoadableView } from '../LoadableView.tsx';
import { StudioLayout } from '../StudioLayout.tsx';
import { AppointmentDetail } from './AppointmentDetail.tsx';
import { AppointmentFilters } from './AppointmentFilters.tsx';
import { AppointmentList } from './AppointmentList.tsx';
import { NewAppointmentDialog } from './NewAppointmentDialog.tsx';

/** The inbox of requests, and everything that came of them. */
export default function AppointmentsIsland({ productName }: { productName: string }) {
  return (
    <StudioLayout
      productName={productName}
      page="appointments"
      title="Appointments"
      actions={
        <button type="button" className="button button-main" onClick={() => openDialog('enter')}>
          <Icon name="plus" />
          Enter an appointment
        </button>
      }
    >
      {(me) => <Appointments me={me} />}
    </StudioLayout>
  );
}

function Appointments({ me }: { me: CurrentArtist }) {
  const { openId: id } = useStore($urlState);
  const opened = useStore($dialog);
  useEffect(() => {
    restoreDialog();
    if (parseEntryStart() !== undefined) openDialog('enter');
  }, []);
  return (
    <>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] lg:gap-8">
        <div className={`grid gap-6 ${id === null ? 'lg:col-span-2' : 'max-lg:hidden'}`}>
          <AppointmentFilters />
          <AppointmentList me={me} />
        </div>
        {id !== null && <OpenAppointment me={me} />}
      </div>
      {opened === 'enter' && <NewAppointmentDialog me={me} onClose={closeDialog} />}
    </>
  );
}

function OpenAppointment({ me }: { me: CurrentArtist }) {
  const opened = useStore($openAppointment);
  return (
    <section
      aria-label="The appointment that is open"
      className="grid gap-4 lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto"
    >
      <button
        type="button"
        className="link inline-flex min-h-11 cursor-pointer items-center justify-self-start"
        onClick={() => openAppointment(null)}
      >
        Back to the list
      </button>
      <div className="card p-5">
        <LoadableView value={opened} label="appointment" onRetry={$openAppointment.revalidate}>
          {(appointment) => <AppointmentDetail me={me} appointment={appointment} />}
        </LoadableView>
      </div>
    </section>
  );
}
