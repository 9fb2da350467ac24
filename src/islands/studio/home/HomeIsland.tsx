import { useStore } from '@nanostores/react';
import type { CurrentArtist } from '#contract/artist.ts';
import { $me } from '#stores/studio/me.ts';
import { Studio } from '../Studio.tsx';
import { ComingDays } from './ComingDays.tsx';
import { Messages } from './Messages.tsx';
import { OwnMail } from './OwnMail.tsx';
import { RequestsWaiting } from './RequestsWaiting.tsx';
import { Setup } from './Setup.tsx';
import { Unreached } from './Unreached.tsx';

/** The artist's home: what comes, who waits, and what is still to be set up. */
export default function HomeIsland({ productName }: { productName: string }) {
  const { data } = useStore($me);
  const title = data ? `Hello, ${firstName(data)}` : 'Home';
  return (
    <Studio productName={productName} section="home" title={title}>
      {(me) => (
        <div className="grid gap-8">
          <OwnMail me={me} />
          <Unreached me={me} />
          <Setup me={me} />
          <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
            {/* Who waits comes first on a phone, and stands beside the days on a wide screen. */}
            <div className="grid gap-8 lg:order-last">
              <RequestsWaiting me={me} />
              <Messages />
            </div>
            <ComingDays me={me} />
          </div>
        </div>
      )}
    </Studio>
  );
}

function firstName({ full_name }: CurrentArtist): string {
  return full_name.split(' ')[0] ?? full_name;
}
