import { useState } from 'react';
import type { ClientRecord } from '#contract/client.ts';
import { formatShortDay } from '#domain/format_time.ts';
import type { StudioZone } from '#domain/zone_offsets.ts';
import { eraseClientData } from '#stores/studio/clients.ts';
import { clientName } from '../appointments/labels.ts';
import { Button } from '../buttons.tsx';
import { ConfirmButton } from '../ConfirmButton.tsx';
import { Section } from '../Section.tsx';
import { ClientExportButton } from './ClientExportButton.tsx';
import { MergeDialog } from './MergeDialog.tsx';

/** What the artist can do with a client's data as a whole. */
export function ClientDataSection({ client, zone }: { client: ClientRecord; zone: StudioZone }) {
  const [isMerging, setIsMerging] = useState(false);
  // The notice about the request has the button then.
  const isCopyAsked = client.data_requests.some(
    ({ kind, done_at }) => kind === 'copy' && done_at === null,
  );
  return (
    <Section id="data" title="Their data">
      <p className="text-muted">
        Clients may ask you for a copy of what you keep about them, or to erase it. If this person
        is twice in your list, merge the two.
      </p>
      <div className="flex flex-wrap gap-3">
        {!isCopyAsked && <ClientExportButton client={client} />}
        <Button label="Merge…" onClick={() => setIsMerging(true)} />
        <ConfirmButton
          label="Erase this client…"
          className="button button-danger"
          title={`Erase the data of ${clientName(client)}?`}
          confirmLabel="Erase for good"
          danger
          onConfirm={() => eraseClientData(client)}
        >
          <div className="grid gap-3">
            {client.next_appointment !== null && (
              <p className="font-semibold">
                {`They have an appointment on ${formatShortDay(client.next_appointment, zone)}. Cancel it first, under “Appointments” on this page.`}
              </p>
            )}
            <p>
              Their name, contact details, wishes and your notes, the mails to and about them, and
              their messages to you are deleted for good. Your earlier exports are deleted too,
              because they hold them.
            </p>
            <p>
              The times and states of their appointments stay. Other artists keep what they have.
            </p>
          </div>
        </ConfirmButton>
      </div>
      {isMerging && <MergeDialog client={client} onClose={() => setIsMerging(false)} />}
    </Section>
  );
}
