import { useStore } from '@nanostores/react';
import type { ClientRecord } from '#contract/client.ts';
import { formatTime } from '#domain/format_time.ts';
import type { StudioZone } from '#domain/zone_offsets.ts';
import { undoMerge } from '#stores/studio/clients.ts';
import { $now } from '#stores/studio/now.ts';
import { clientName } from '../appointments/labels.ts';
import { ActionButton } from '../buttons.tsx';

/** The last client merged into this one, with Undo; nothing when there is none, or it is too late. */
export function LastMerge({ client, zone }: { client: ClientRecord; zone: StudioZone }) {
  const now = useStore($now);
  const { last_merge: merge } = client;
  if (merge === null || Date.parse(merge.undo_until) < now) return null;
  const { first_name, last_name, email } = merge.client;
  const name = clientName(merge.client);
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
