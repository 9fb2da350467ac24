import { useStore } from '@nanostores/react';
import { $clientId, $clients, $exportProgress, fetchAllClients } from '#stores/studio/clients.ts';
import { $me } from '#stores/studio/me.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { saveFile } from '../save_file.ts';

/** Downloads all clients as a CSV file. */
export function ExportButton() {
  const zone = useStore($me).data?.studio.time_zone;
  const clients = useStore($clients);
  const openClientId = useStore($clientId);
  const progress = useStore($exportProgress);
  if (zone === undefined || openClientId !== null || !clients.data?.count) return null;

  const exportClients = async (): Promise<void> => {
    // Loaded only now, as most visits to this page export nothing.
    const [{ clientsCsv, csvFileName }, all] = await Promise.all([
      import('./csv.ts'),
      fetchAllClients(),
    ]);
    if (all)
      saveFile(csvFileName(zone, Date.now()), clientsCsv(all, zone), 'text/csv;charset=utf-8');
  };

  return (
    <BusyButton busy={progress !== null} onClick={exportClients}>
      {progress === null ? 'Export as CSV' : `Exporting ${formatProgress(progress)}`}
    </BusyButton>
  );
}

function formatProgress({ done, total }: { done: number; total: number }): string {
  return total === 0 ? '…' : `${done} of ${total}…`;
}
