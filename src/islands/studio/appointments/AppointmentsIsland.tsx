import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { $open, $place, askedToEnter, openAppointment } from '#stores/studio/appointments.ts';
import { $opened, close, open, reopen } from '#stores/studio/opened.ts';
import { Icon } from '../Icon.tsx';
import { Reading } from '../Reading.tsx';
import { Studio } from '../Studio.tsx';
import { Detail } from './Detail.tsx';
import { EnterDialog } from './EnterDialog.tsx';
import { Filters } from './Filters.tsx';
import { List } from './List.tsx';

/** The inbox of requests, and everything that came of them. */
export default function AppointmentsIsland({ productName }: { productName: string }) {
  return (
    <Studio
      productName={productName}
      section="appointments"
      title="Appointments"
      actions={
        <button type="button" className="button button-main" onClick={() => open('enter')}>
          <Icon name="plus" />
          Enter an appointment
        </button>
      }
    >
      {(me) => <Appointments me={me} />}
    </Studio>
  );
}

function Appointments({ me }: { me: CurrentArtist }) {
  const { id } = useStore($place);
  const opened = useStore($opened);
  useEffect(() => {
    reopen();
    if (askedToEnter() !== undefined) open('enter');
  }, []);
  return (
    <>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] lg:gap-8">
        <div className={`grid gap-6 ${id === null ? 'lg:col-span-2' : 'max-lg:hidden'}`}>
          <Filters />
          <List me={me} />
        </div>
        {id !== null && <Opened me={me} />}
      </div>
      {opened === 'enter' && <EnterDialog me={me} onClose={close} />}
    </>
  );
}

function Opened({ me }: { me: CurrentArtist }) {
  const opened = useStore($open);
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
        <Reading value={opened} what="appointment" onRetry={$open.revalidate}>
          {(appointment) => <Detail me={me} appointment={appointment} />}
        </Reading>
      </div>
    </section>
  );
}
