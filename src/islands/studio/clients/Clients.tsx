import { useStore } from '@nanostores/react';
import { useLayoutEffect, useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { $clientId, readUrl } from '#stores/studio/clients.ts';
import { ClientList } from './ClientList.tsx';
import { ClientPage } from './ClientPage.tsx';

/** Everyone who has asked for an appointment, or one of them when the address names them. */
export function Clients({ me }: { me: CurrentArtist }) {
  const id = useStore($clientId);
  const [isRead, setRead] = useState(false);
  useLayoutEffect(() => {
    readUrl();
    setRead(true);
  }, []);
  if (!isRead) return null;
  return id === null ? <ClientList me={me} /> : <ClientPage key={id} zone={me.studio.time_zone} />;
}
