import type { CurrentArtist } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import type { OpenDataRequest } from '#contract/data_request.ts';
import { formatDayWithYear } from '#domain/format_time.ts';
import { $dataRequests } from '#stores/studio/data_rights.ts';
import { clientName } from '../appointments/labels.ts';
import { DATA_REQUEST_LABELS } from '../clients/data_request_labels.ts';
import { QueryView } from '../LoadableView.tsx';
import { AppointmentLink } from './AppointmentLink.tsx';

/** What clients ask for about their data, and is not done; nothing while there is none. */
export function DataRequests({ me }: { me: CurrentArtist }) {
  return (
    <QueryView query={$dataRequests} label="requests about data" room="line">
      {({ data, count }) => count > 0 && <OpenRequests data={data} count={count} me={me} />}
    </QueryView>
  );
}

interface OpenRequestsProps extends ListPage<OpenDataRequest> {
  me: CurrentArtist;
}

function OpenRequests({ data, count, me }: OpenRequestsProps) {
  return (
    <section aria-labelledby="data-requests" className="card grid gap-3 p-5">
      <h2 id="data-requests" className="text-xl">
        {`Requests about data (${count})`}
      </h2>
      <p className="text-muted">Open a client to see what to do. The oldest request is first.</p>
      <ul className="grid">
        {data.map(({ id, kind, asked_at, client }) => (
          <AppointmentLink
            key={id}
            href={`/studio/clients?id=${client.id}`}
            name={clientName(client)}
          >
            <span className="block">{DATA_REQUEST_LABELS[kind]}</span>
            <span className="block text-sm text-muted">
              {`Asked on ${formatDayWithYear(asked_at, me.studio)}`}
            </span>
          </AppointmentLink>
        ))}
      </ul>
    </section>
  );
}
