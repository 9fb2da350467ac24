import { useStore } from '@nanostores/react';
import type { CurrentArtist } from '#contract/artist.ts';
import { $me } from '#stores/studio/me.ts';
import { StudioLayout } from '../StudioLayout.tsx';
import { ClientMailFailures } from './ClientMailFailures.tsx';
import { Messages } from './Messages.tsx';
import { OwnMailFailure } from './OwnMailFailure.tsx';
import { PendingRequests } from './PendingRequests.tsx';
import { SetupChecklist } from './SetupChecklist.tsx';
import { UpcomingDays } from './UpcomingDays.tsx';

/** The artist's home: what comes, who waits, and what is still to be set up. */
export default function HomeIsland({ productName }: { productName: string }) {
  const { data } = useStore($me);
  const title = data ? `Hello, ${firstName(data)}` : 'Home';
  return (
    <StudioLayout productName={productName} page="home" title={title}>
      {(me) => (
        <div className="grid gap-8">
          <OwnMailFailure me={me} />
          <ClientMailFailures me={me} />
          <SetupChecklist me={me} />
          <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
            {/* Who waits comes first on a phone, and stands beside the days on a wide screen. */}
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

function firstName({ full_name }: CurrentArtist): string {
  return full_name.split(' ')[0] ?? full_name;
}
