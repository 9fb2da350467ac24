import { useStore } from '@nanostores/react';
import { useLayoutEffect, useState } from 'react';
import { serverNow } from '#client/server_clock.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { localDateAt } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import {
  $clientId,
  $exportProgress,
  clientList,
  fetchAllClients,
  readUrl,
} from '#stores/studio/clients.ts';
import { $me } from '#stores/studio/me.ts';
import { showErrorToast } from '#stores/toasts.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { createStudioPage } from '../create_studio_page.tsx';
import { saveFile } from '../save_file.ts';
import { ClientList } from './ClientList.tsx';
import { ClientPage } from './ClientPage.tsx';

/** The artist's clients, or the page of the one that the address names. */
export default createStudioPage('clients', Clients, { actions: <HeaderActions /> });

function Clients({ me }: { me: CurrentArtist }) {
  const id = useStore($clientId);
  const [isUrlRead, setUrlRead] = useState(false);
  // Until the URL is read, the list would be shown, and loaded, in place of a client.
  useLayoutEffect(() => {
    readUrl();
    setUrlRead(true);
  }, []);
  if (!isUrlRead) return null;
  return id === null ? <ClientList me={me} /> : <ClientPage key={id} zone={me.studio} />;
}

function HeaderActions() {
  const zone = useStore($me).data?.studio;
  const openClientId = useStore($clientId);
  return zone && openClientId === null && <ExportButton zone={zone} />;
}

function ExportButton({ zone }: { zone: StudioZone }) {
  const clients = useStore(clientList.$list);
  const progress = useStore($exportProgress);
  if (!clients.data?.count) return null;

  async function exportClients(): Promise<void> {
    try {
      // Loaded only now, as most visits to this page export nothing.
      const [{ CLIENT_TABLE }, { toCsv }, all] = await Promise.all([
        import('#contract/csv_rows.ts'),
        import('#domain/text/csv.ts'),
        fetchAllClients(),
      ]);
      const name = `clients-${localDateAt(zone, serverNow())}.csv`;
      if (all) saveFile(name, toCsv(CLIENT_TABLE, all, zone), 'text/csv;charset=utf-8');
    } catch {
      showErrorToast('The clients were not exported.', 'Please try again.');
    }
  }

  return (
    <BusyButton busy={progress !== null} onClick={exportClients}>
      {progress === null ? 'Export as CSV' : `Exporting ${formatProgress(progress)}`}
    </BusyButton>
  );
}

function formatProgress({ done, total }: { done: number; total: number }): string {
  return total === 0 ? '…' : `${done} of ${total}…`;
}
