import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { serverNow } from '#client/server_clock.ts';
import type { ClientRecord } from '#contract/client.ts';
import { toFileName } from '#domain/clients/export.ts';
import { formatShortDay, formatTime } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import {
  eraseClientData,
  mergeCandidates,
  mergeClient,
  undoMerge,
} from '#stores/studio/clients.ts';
import { fetchClientExport } from '#stores/studio/data_rights.ts';
import { $me } from '#stores/studio/me.ts';
import { $now } from '#stores/studio/now.ts';
import { showErrorToast } from '#stores/toasts.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { clientName } from '../appointments/labels.ts';
import { ActionButton, DialogButton } from '../buttons.tsx';
import { ConfirmButton } from '../ConfirmButton.tsx';
import { ListRow } from '../ListRow.tsx';
import { QueryView } from '../LoadableView.tsx';
import { Section } from '../Section.tsx';
import { saveFile } from '../save_file.ts';
import { ClientSearchField } from './ClientList.tsx';

export function ClientDataSection({ client, zone }: { client: ClientRecord; zone: StudioZone }) {
  // Then `DataRequests` has the button of the download, beside the request.
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
        <DialogButton
          label="Merge…"
          dialog={(onClose) => <MergeDialog client={client} onClose={onClose} />}
        />
        <ConfirmButton
          label="Erase this client…"
          look="danger"
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
    </Section>
  );
}

/** Downloads all data of one client as an HTML page, for a client who asks for a copy. */
export function ClientExportButton({ client }: { client: ClientRecord }) {
  const me = useStore($me).data;
  if (me === undefined) return null;
  const { full_name: artist, studio } = me;
  async function save(): Promise<void> {
    try {
      // Loaded only now, as most visits to this page save nothing.
      const [{ renderClientDocument }, data] = await Promise.all([
        import('./ClientDocument.tsx'),
        fetchClientExport(client),
      ]);
      if (!data) return;
      const html = renderClientDocument({ data, artist, zone: studio, now: serverNow() });
      const name = `${toFileName(clientName(client), client.id)}.html`;
      saveFile(name, html, 'text/html;charset=utf-8');
    } catch {
      showErrorToast('Their data was not downloaded.', 'Please try again.');
    }
  }
  return <ActionButton label="Download their data" onAct={save} />;
}

/** More candidates are not listed: the artist searches for another name. */
const MAX_CANDIDATES = 8;

interface MergeDialogProps {
  /** The client who remains. */
  client: ClientRecord;
  onClose: () => void;
}

/** Finds the client who is the same person, and merges them into this one. */
function MergeDialog({ client, onClose }: MergeDialogProps) {
  const name = clientName(client);
  // Begins with those of the same first name. Not in an effect: the earlier search would be loaded before.
  useState(() => mergeCandidates.open({ search: client.first_name ?? '', skip: 0 }));
  return (
    <Dialog title={`Who else is ${name}?`} onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-muted wrap-anywhere">
          {`If one person is twice in your list, merge them. ${name} gets the appointments of the other, and the details that are missing here; those that differ go to your notes. Who books with either email is ${name} then. Nobody is mailed.`}
        </p>
        <ClientSearchField id="merge-search" list={mergeCandidates} />
        <QueryView query={mergeCandidates.$query} label="clients">
          {({ data }) => {
            const others = data.filter(({ id }) => id !== client.id).slice(0, MAX_CANDIDATES);
            return others.length === 0 ? (
              <p role="status">Nobody else found. Try part of another name, email or number.</p>
            ) : (
              <ul aria-label="Clients" className="divide-y divide-line">
                {others.map((other) => (
                  <Candidate key={other.id} client={client} other={other} onClose={onClose} />
                ))}
              </ul>
            );
          }}
        </QueryView>
      </div>
    </Dialog>
  );
}

function Candidate({ client, other, onClose }: MergeDialogProps & { other: ClientRecord }) {
  const name = clientName(other);
  const remainingName = clientName(client);
  const contact = [other.email, other.phone_number].filter((one) => one && one !== name);

  async function merge(): Promise<void> {
    await mergeClient({ id: client.id, name: remainingName }, { id: other.id, name });
    onClose();
  }

  return (
    <ListRow title={name} text={contact.join(' · ')}>
      <ActionButton label="Merge" labelEnd={` ${name} into ${remainingName}`} onAct={merge} />
    </ListRow>
  );
}

/** The last client merged into this one, with Undo; nothing when there is none, or it is too late. */
export function LastMerge({ client, zone }: { client: ClientRecord; zone: StudioZone }) {
  const now = useStore($now);
  const { last_merge: merge } = client;
  if (merge === null || Date.parse(merge.undo_until) < now) return null;
  const { first_name, last_name, email } = merge.client;
  const name = clientName(merge.client);
  // Without a name, `name` is the email.
  const who = (first_name || last_name) && email !== null ? `${name}, ${email},` : name;
  return (
    <section
      aria-label="Last merge"
      className="card flex flex-wrap items-center justify-between gap-3 p-5"
    >
      <p className="min-w-0 wrap-anywhere">
        {`${who} was merged into this client. You can undo it until ${formatTime(merge.undo_until, zone)}.`}
      </p>
      <ActionButton label="Undo the merge" onAct={() => undoMerge(merge.id)} />
    </section>
  );
}
