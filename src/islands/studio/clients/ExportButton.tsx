import { useStore } from '@nanostores/react';
import { $clientId, $clients, $exportProgress, fetchAllClients } from '#stores/studio/clients.ts';
import { $me } from '#stores/studio/me.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';

/** Downloads all clients as a CSV file. */
export function ExportButton() {
  const zone = useStore($me).data?.studio.time_zone;
  const clients = useStore($clients);
  const openClientId = useStore($clientId);
  const progress = useStore($exportProgress);
  if (zone === undefined || openClientId !== null || !clients.data?.count) return null;

  const exportClients = async (): Promise<void> => {
    // Loaded only now, as most visits to this page export nothing.
    const [{ toCsv, csvFileName }, all] = await Promise.all([
      import('./csv.ts'),
      fetchAllClients(),
    ]);
    if (all) download(csvFileName(zone, Date.now()), toCsv(all, zone));
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

/** The browser starts to read the address soon after the click, and gives no sign when it is done. */
const ADDRESS_LIFETIME_MS = 10_000;

function download(name: string, csv: string): void {
  const address = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), ADDRESS_LIFETIME_MS);
}
