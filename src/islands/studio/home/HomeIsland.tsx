import { useStore } from '@nanostores/react';
import type { CurrentArtist } from '#contract/artist.ts';
import { $unmarkedAppointments } from '#stores/studio/appointments.ts';
import { $dataRequests } from '#stores/studio/data_rights.ts';
import { $messages, $newRequests, $setupProgress, $weekAppointments } from '#stores/studio/home.ts';
import { $mailTrouble, $unreachedClients } from '#stores/studio/mails.ts';
import { createStudioPage } from '../create_studio_page.tsx';
import { Loading, useAllLoaded } from '../LoadableView.tsx';
import { Messages } from './Messages.tsx';
import { ReceivedMonth } from './ReceivedMonth.tsx';
import { SetupChecklist } from './SetupChecklist.tsx';
import { UpcomingDays } from './UpcomingDays.tsx';
import { DataRequests, PendingRequests, UnmarkedAppointments } from './WaitingLists.tsx';
import {
  ClientMailFailures,
  MailDeliveryWarning,
  OwnMailFailure,
  ServerTroubles,
} from './Warnings.tsx';

/** The first page of the studio: warnings, what waits for the artist, and the coming days. */
export default createStudioPage('home', Home, {
  titleFor: ({ full_name }) => `Hello, ${full_name.split(' ')[0]}`,
});

function Home({ me }: { me: CurrentArtist }) {
  const isLoaded = useAllLoaded(
    useStore($setupProgress),
    useStore($weekAppointments),
    useStore($newRequests),
    useStore($unmarkedAppointments),
    useStore($messages),
    useStore($dataRequests),
    useStore($unreachedClients),
    useStore($mailTrouble),
  );
  if (!isLoaded) return <Loading label="studio" room="page" />;
  return (
    <div className="grid gap-8">
      {me.is_superuser && <ServerTroubles />}
      <MailDeliveryWarning me={me} />
      <OwnMailFailure me={me} />
      <ClientMailFailures me={me} />
      <SetupChecklist me={me} />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
        {/* Above the days on a phone, beside them on a wide screen. */}
        <div className="grid gap-8 empty:hidden lg:col-start-2 lg:row-start-1">
          <PendingRequests me={me} />
          <UnmarkedAppointments me={me} />
          <Messages />
        </div>
        <div className="grid gap-8 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <UpcomingDays me={me} />
        </div>
        {/* Below the days on a phone: they can wait for an evening. */}
        <div className="grid grid-cols-1 content-start gap-8 empty:hidden lg:col-start-2 lg:row-start-2">
          <DataRequests me={me} />
          <ReceivedMonth zone={me.studio} />
        </div>
      </div>
    </div>
  );
}
