import { useStore } from '@nanostores/react';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ClientRecord } from '#contract/client.ts';
import { clientList } from '#stores/studio/clients.ts';
import type { SearchedList } from '#stores/studio/searched_list.ts';
import { artistPageUrl } from '../appointments/labels.ts';
import { Button, TextLink } from '../buttons.tsx';
import { CopyButton } from '../CopyButton.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { LoadableView } from '../LoadableView.tsx';
import { ListPagination } from '../Pagination.tsx';
import { SearchField } from '../SearchField.tsx';
import { ClientRow, COLUMN_CLASSES } from './ClientRow.tsx';

/** The artist's clients, with a search. */
export function ClientList({ me }: { me: CurrentArtist }) {
  const clients = useStore(clientList.$list);
  const { search } = useStore(clientList.$view);
  const address = artistPageUrl(me);
  if (clients.data?.count === 0 && search === '')
    return (
      <EmptyState title="No clients yet">
        <p>
          Everyone who books with you or sends you a request turns up here, one row for each, with
          their appointments and your notes. Share your page to get the first one.
        </p>
        <TextLink label={address} className="wrap-anywhere" href={address} />
        <CopyButton text={address} label="Copy link" className="button button-main" />
      </EmptyState>
    );
  return (
    <>
      <ClientSearchField id="client-search" list={clientList} />
      <LoadableView value={clients} label="clients" onRetry={clientList.$query.revalidate}>
        {({ data, count }) => (
          <div aria-busy={clients.loading} className="grid gap-6">
            <p role="status" className="text-muted">
              {`${count === 1 ? '1 client' : `${count} clients`}${search === '' ? '. The one who asked last is first.' : ' found.'}`}
            </p>
            {count === 0 ? (
              <EmptyState title="Nobody found">
                <p>Try part of a name, an email address or a phone number.</p>
                <Button label="Show all clients" onClick={() => clientList.search('')} />
              </EmptyState>
            ) : (
              <div className="card">
                <div
                  aria-hidden="true"
                  className={`hidden border-b border-line px-5 py-3 text-sm font-semibold text-muted xl:grid ${COLUMN_CLASSES}`}
                >
                  <span>Name</span>
                  <span>Contact</span>
                  <span>Bookings</span>
                  <span>Last</span>
                  <span>Next</span>
                </div>
                <ul aria-label="Clients" className="divide-y divide-line">
                  {data.map((client) => (
                    <ClientRow key={client.id} client={client} zone={me.studio} />
                  ))}
                </ul>
              </div>
            )}
            <ListPagination list={clientList} count={count} label="clients" />
          </div>
        )}
      </LoadableView>
    </>
  );
}

interface ClientSearchFieldProps {
  id: string;
  list: SearchedList<ClientRecord>;
}

/** Finds clients by a part of their name, email or phone number. */
export function ClientSearchField(props: ClientSearchFieldProps) {
  const placeholder = 'Name, email or phone number';
  return <SearchField {...props} label="Search clients" placeholder={placeholder} />;
}
