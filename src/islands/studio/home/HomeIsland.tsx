import { useStore } from '@nanostores/react';
import { $me } from '#stores/studio/me.ts';
import { StudioLayout } from '../StudioLayout.tsx';
import { ClientMailFailures, OwnMailFailure } from './MailFailures.tsx';
import { Messages } from './Messages.tsx';
import { PendingRequests } from './PendingRequests.tsx';
import { SetupChecklist } from './SetupChecklist.tsx';
import { UpcomingDays } from './UpcomingDays.tsx';

/** The first page of the studio: warnings, setup steps, requests, messages and coming days. */
export default function HomeIsland({ productName }: { productName: string }) {
  const { data } = useStore($me);
  const title = data ? `Hello, ${data.full_name.split(' ')[0]}` : 'Home';
  return (
    <StudioLayout productName={productName} page="home" title={title}>
      {(me) => (
        <div className="grid gap-8">
          <OwnMailFailure me={me} />
          <ClientMailFailures me={me} />
          <SetupChecklist me={me} />
          <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
            {/* Above the days on a phone, beside them on a wide screen. */}
            <div className="grid gap-8 lg:order-last">
              <PendingRequests me={me} />
              <Messages />
            </div>
            <UpcomingDays me={me} />
          </div>
        </div>
      )}
    </StudioLayout>
  );
}
