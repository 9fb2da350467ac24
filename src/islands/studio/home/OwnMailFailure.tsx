import { useStore } from '@nanostores/react';
import type { CurrentArtist } from '#contract/artist.ts';
import { $failedOwnMails } from '#stores/studio/mails.ts';
import { Icon } from '../Icon.tsx';

/** That the artist's own mail does not arrive; nothing once they have another address. */
export function OwnMailFailure({ me }: { me: CurrentArtist }) {
  const { data = [] } = useStore($failedOwnMails);
  if (!data.some(({ address }) => address === me.email)) return null;
  return (
    <p className="card flex items-start gap-3 border-l-4 border-l-danger p-4">
      <Icon name="alert" className="mt-0.5 size-5 text-danger" />
      <span className="wrap-anywhere">
        Mail to you at {me.email} does not arrive: you may hear of bookings only here.{' '}
        <a className="link whitespace-nowrap" href="/studio/profile">
          Change your address
        </a>
      </span>
    </p>
  );
}
