import { useStore } from '@nanostores/react';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ClientRecord } from '#contract/client.ts';
import { pluralize } from '#domain/time/duration.ts';
import { formatShortDay, formatTime } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { clientList, clientUrl } from '#stores/studio/clients.ts';
import type { SearchedList } from '#stores/studio/searched_list.ts';
import { artistPageUrl, clientName } from '../appointments/labels.ts';
import { Button, TextLink } from '../buttons.tsx';
import { CopyButton } from '../CopyButton.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { Icon } from '../Icon.tsx';
import { LoadableView } from '../LoadableView.tsx';
import { ListPagination } from '../Pagination.tsx';
import { SearchField } from '../SearchField.tsx';

export function ClientList({ me }: { me: CurrentArtist }) {
  const clients = useStore(clientList.$list);
  const { search } = useStore(clientList.$view);
  const pageUrl = artistPageUrl(me);
  if (clients.data?.count === 0 && search === '')
    return (
      <EmptyState title="No clients yet">
        <p>
          Everyone who books with you or sends you a request turns up here, one row for each, with
          their appointments and your notes. Share your page to get the first one.
        </p>
        <TextLink label={pageUrl} className="wrap-anywhere" href={pageUrl} />
        <CopyButton text={pageUrl} label="Copy link" look="main" />
      </EmptyState>
    );
  return (
    <>
      <ClientSearchField id="client-search" list={clientList} />
      <LoadableView value={clients} label="clients" onRetry={clientList.$query.revalidate}>
        {({ data, count }) => (
          <div aria-busy={clients.loading} className="grid gap-6">
            <p role="status" className="text-muted">
              {`${pluralize(count, 'client')}${search === '' ? '. The one who asked last is first.' : ' found.'}`}
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
                  {['Name', 'Contact', 'Bookings', 'Last', 'Next'].map((name) => (
                    <span key={name}>{name}</span>
                  ))}
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

/** Finds clients by a part of their name, email or phone number. */
export function ClientSearchField(props: { id: string; list: SearchedList<ClientRecord> }) {
  const placeholder = 'Name, email or phone number';
  return (
    <search className="block max-w-md">
      <SearchField {...props} label="Search clients" placeholder={placeholder} />
    </search>
  );
}

const COLUMN_CLASSES = 'xl:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_6rem_9rem_9rem] xl:gap-x-6';

/** A client in the list; a click anywhere on the row opens their page. */
export function ClientRow({ client, zone }: { client: ClientRecord; zone: StudioZone }) {
  const { id, email, phone_number, pronouns, appointment_count } = client;
  const name = clientName(client);
  return (
    <li
      className={`relative grid items-center gap-x-4 gap-y-1 px-4 py-3.5 hover:bg-paper sm:px-5 ${COLUMN_CLASSES}`}
    >
      <h2 className="min-w-0 font-sans text-lg font-semibold wrap-anywhere">
        <a href={clientUrl(id)} className="after:absolute after:inset-0">
          {name}
        </a>
        {pronouns && <span className="ml-2 text-sm font-normal text-muted">{pronouns}</span>}
      </h2>
      <p className="grid min-w-0 text-muted">
        {email && email !== name && <span className="truncate">{email}</span>}
        {phone_number && <span>{phone_number}</span>}
        {client.email_failed_at !== null && (
          <span className="flex items-center gap-1.5 text-sm font-semibold text-danger">
            <Icon name="alert" className="size-4" />
            <span>Mail does not arrive</span>
          </span>
        )}
      </p>
      <p className="text-muted">
        <span>{appointment_count}</span>
        <span className="xl:sr-only">{appointment_count === 1 ? ' booking' : ' bookings'}</span>
      </p>
      <AppointmentDate label="Last" start={client.last_appointment} zone={zone} />
      <AppointmentDate label="Next" start={client.next_appointment} zone={zone} />
    </li>
  );
}

interface AppointmentDateProps {
  label: string;
  start: string | null;
  zone: StudioZone;
}

function AppointmentDate({ label, start, zone }: AppointmentDateProps) {
  // On a wide screen the dash fills the column; a narrow screen has none.
  if (start === null)
    return (
      <span aria-hidden="true" className="text-muted max-xl:hidden">
        –
      </span>
    );
  return (
    <p>
      <span className="text-muted xl:sr-only">{`${label}: `}</span>
      <span>{formatShortDay(start, zone)}</span>
      <span className="text-muted">{`, ${formatTime(start, zone)}`}</span>
    </p>
  );
}
