import type { CurrentArtist } from '#contract/artist.ts';
import { createStudioPage } from '../create_studio_page.tsx';
import { DataRequests } from './DataRequests.tsx';
import { ClientMailFailures, OwnMailFailure } from './MailFailures.tsx';
import { Messages } from './Messages.tsx';
import { PendingRequests } from './PendingRequests.tsx';
import { SetupChecklist } from './SetupChecklist.tsx';
import { UnmarkedAppointments } from './UnmarkedAppointments.tsx';
import { UpcomingDays } from './UpcomingDays.tsx';

/** The first page of the studio: warnings, setup steps, requests, unmarked appointments, requests about data, messages and coming days. */
export default createStudioPage(
  'home',
  Home,
  null,
  ({ full_name }) => `Hello, ${full_name.split(' ')[0]}`,
);

function Home({ me }: { me: CurrentArtist }) {
  return (
    <div className="grid gap-8">
      <OwnMailFailure me={me} />
      <ClientMailFailures me={me} />
      <SetupChecklist me={me} />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        {/* Above the days on a phone, beside them on a wide screen. */}
        <div className="grid gap-8 lg:order-last">
          <PendingRequests me={me} />
          <UnmarkedAppointments me={me} />
          <DataRequests me={me} />
          <Messages />
        </div>
        <UpcomingDays me={me} />
      </div>
    </div>
  );
}
