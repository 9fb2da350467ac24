import { useStore } from '@nanostores/react';
import { useLayoutEffect, useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { $clientId, readUrl } from '#stores/studio/clients.ts';
import { createStudioPage } from '../create_studio_page.tsx';
import { ClientList } from './ClientList.tsx';
import { ClientPage } from './ClientPage.tsx';
import { ExportButton } from './ExportButton.tsx';

/** The artist's clients, or the page of the one that the address names. */
export default createStudioPage('clients', Clients, <ExportButton />);

function Clients({ me }: { me: CurrentArtist }) {
  const id = useStore($clientId);
  const [isUrlRead, setUrlRead] = useState(false);
  useLayoutEffect(() => {
    readUrl();
    setUrlRead(true);
  }, []);
  if (!isUrlRead) return null;
  return id === null ? <ClientList me={me} /> : <ClientPage key={id} zone={me.studio.time_zone} />;
}
