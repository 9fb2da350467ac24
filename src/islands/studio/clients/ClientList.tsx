import { useStore } from '@nanostores/react';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ClientRecord } from '#contract/client.ts';
import {
  $clients,
  $search,
  $skip,
  CLIENTS_LIMIT,
  retryClients,
  search,
  turnTo,
} from '#stores/studio/clients.ts';
import { CopyButton } from '../CopyButton.tsx';
import { Empty } from '../Empty.tsx';
import { Pager } from '../Pager.tsx';
import { Reading } from '../Reading.tsx';
import { ClientRow } from './ClientRow.tsx';
import { SearchField } from './SearchField.tsx';

export function ClientList({ me }: { me: CurrentArtist }) {
  const clients = useStore($clients);
  const searched = useStore($search);
  const skip = useStore($skip);
  const hasNone = clients.data?.count === 0 && searched === '';
  if (hasNone) return <NoClients username={me.username} />;
  return (
    <>
      <SearchField />
      <Reading value={clients} what="clients" onRetry={retryClients}>
        {({ data, count }) => (
          <div aria-busy={clients.loading} className="grid gap-6">
            <p role="status" className="text-muted">
              {summary(count, searched)}
            </p>
            {count === 0 ? <NobodyFound /> : <Rows clients={data} zone={me.studio.time_zone} />}
            <Pager skip={skip} limit={CLIENTS_LIMIT} count={count} what="clients" onSkip={turnTo} />
          </div>
        )}
      </Reading>
    </>
  );
}

function summary(count: number, searched: string): string {
  const clients = count === 1 ? '1 client' : `${count} clients`;
  return searched === '' ? `${clients}. Whoever asked last is first.` : `${clients} found.`;
}

const COLUMNS = 'xl:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_6rem_9rem_9rem] xl:gap-x-6';

function Rows({ clients, zone }: { clients: readonly ClientRecord[]; zone: string }) {
  return (
    <div className="card">
      <div
        aria-hidden="true"
        className={`hidden border-b border-line px-5 py-3 text-sm font-semibold text-muted xl:grid ${COLUMNS}`}
      >
        <span>Name</span>
        <span>Contact</span>
        <span>Bookings</span>
        <span>Last</span>
        <span>Next</span>
      </div>
      <ul aria-label="Clients" className="divide-y divide-line">
        {clients.map((client) => (
          <ClientRow key={client.id} client={client} zone={zone} columns={COLUMNS} />
        ))}
      </ul>
    </div>
  );
}

function NobodyFound() {
  return (
    <Empty title="Nobody found">
      <p>Try part of a name, an email address or a phone number.</p>
      <button type="button" className="button" onClick={() => search('')}>
        Show all clients
      </button>
    </Empty>
  );
}

function NoClients({ username }: { username: string }) {
  const address = `${location.origin}/${username}/`;
  return (
    <Empty title="No clients yet">
      <p>
        Everyone who books with you or sends you a request turns up here, one row for each, with
        their appointments and your notes. Share your page to get the first one.
      </p>
      <a href={address} className="link inline-flex min-h-11 items-center wrap-anywhere">
        {address}
      </a>
      <CopyButton text={address} label="Copy link" className="button button-main" />
    </Empty>
  );
}
