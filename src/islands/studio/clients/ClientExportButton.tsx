import { useState } from 'react';
import type { ClientRecord } from '#contract/client.ts';
import { toFileName } from '#domain/export.ts';
import { fetchClientExport } from '#stores/studio/exports.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { clientName } from '../appointments/labels.ts';
import { saveFile } from '../save_file.ts';

/** Saves all data of one client as a file, for a client who asks for a copy. */
export function ClientExportButton({ client }: { client: ClientRecord }) {
  const [isBusy, setIsBusy] = useState(false);
  async function save(): Promise<void> {
    setIsBusy(true);
    const data = await fetchClientExport(client);
    setIsBusy(false);
    if (!data) return;
    const name = `${toFileName(clientName(client), client.id)}.json`;
    saveFile(name, JSON.stringify(data, null, 2), 'application/json');
  }
  return (
    <BusyButton busy={isBusy} onClick={save}>
      Download their data
    </BusyButton>
  );
}
