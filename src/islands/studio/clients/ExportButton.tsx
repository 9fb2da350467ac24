import { useStore } from '@nanostores/react';
import { $clientId, $clients, $exportProgress, fetchAllClients } from '#stores/studio/clients.ts';
import { $me } from '#stores/studio/me.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { downloadFile } from './download_file.ts';

/** Saves all clients as a table for spreadsheets. */
export function ExportButton() {
  const zone = useStore($me).data?.studio.time_zone;
  const clients = useStore($clients);
  const id = useStore($clientId);
  const read = useStore($exportProgress);
  if (zone === undefined || id !== null || !clients.data?.count) return null;

  async function save(inZone: string): Promise<void> {
    // Only who exports needs it.
    const [{ toCsv: clientsAsCsv, csvFileName: csvName }, all] = await Promise.all([
      import('./csv.ts'),
      fetchAllClients(),
    ]);
    if (all) downloadFile(csvName(inZone, Date.now()), clientsAsCsv(all, inZone), 'text/csv');
  }

  return (
    <BusyButton busy={read !== null} onClick={() => save(zone)}>
      {read === null ? 'Export as CSV' : `Exporting ${formatProgress(read)}`}
    </BusyButton>
  );
}

function formatProgress({ done, total }: { done: number; total: number }): string {
  return total === 0 ? '…' : `${done} of ${total}…`;
}
