import { useStore } from '@nanostores/react';
import { $allRead, $clientId, $clients, readAllClients } from '#stores/studio/clients.ts';
import { $me } from '#stores/studio/me.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { saveFile } from './save_file.ts';

/** Saves all clients as a table for spreadsheets. */
export function ExportButton() {
  const zone = useStore($me).data?.studio.time_zone;
  const clients = useStore($clients);
  const id = useStore($clientId);
  const read = useStore($allRead);
  if (zone === undefined || id !== null || !clients.data?.count) return null;

  async function save(inZone: string): Promise<void> {
    // Only who exports needs it.
    const [{ clientsAsCsv, csvName }, all] = await Promise.all([
      import('./csv.ts'),
      readAllClients(),
    ]);
    if (all) saveFile(csvName(inZone, Date.now()), clientsAsCsv(all, inZone), 'text/csv');
  }

  return (
    <BusyButton busy={read !== null} onClick={() => save(zone)}>
      {read === null ? 'Export as CSV' : `Exporting ${progress(read)}`}
    </BusyButton>
  );
}

function progress({ done, total }: { done: number; total: number }): string {
  return total === 0 ? '…' : `${done} of ${total}…`;
}
