import { useStore } from '@nanostores/react';
import { serverNow } from '#client/server_clock.ts';
import type { ClientRecord } from '#contract/client.ts';
import { toFileName } from '#domain/export.ts';
import { fetchClientExport } from '#stores/studio/data_rights.ts';
import { $me } from '#stores/studio/me.ts';
import { showErrorToast } from '#stores/toasts.ts';
import { clientName } from '../appointments/labels.ts';
import { ActionButton } from '../buttons.tsx';
import { saveFile } from '../save_file.ts';

/** Saves all data of one client as a page to read, for a client who asks for a copy. */
export function ClientExportButton({ client }: { client: ClientRecord }) {
  const me = useStore($me).data;
  if (me === undefined) return null;
  const { full_name: artist, studio } = me;
  async function save(): Promise<void> {
    try {
      // Loaded only now, as most visits to this page save nothing.
      const [{ clientDocument }, data] = await Promise.all([
        import('./ClientDocument.tsx'),
        fetchClientExport(client),
      ]);
      if (!data) return;
      const html = clientDocument({ data, artist, zone: studio, now: serverNow() });
      const name = `${toFileName(clientName(client), client.id)}.html`;
      saveFile(name, html, 'text/html;charset=utf-8');
    } catch {
      showErrorToast('Their data was not downloaded.', 'Please try again.');
    }
  }
  return <ActionButton label="Download their data" onAct={save} />;
}
