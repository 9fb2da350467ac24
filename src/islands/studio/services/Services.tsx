import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import type { Service } from '#contract/service.ts';
import { $dialog, closeDialog, openDialog, restoreDialog } from '#stores/studio/dialog.ts';
import { MAX_PAGE_SIZE } from '#stores/studio/ordered_list.ts';
import { services } from '#stores/studio/services.ts';
import { EmptyState } from '../EmptyState.tsx';
import { LoadableView } from '../LoadableView.tsx';
import { Pagination } from '../Pagination.tsx';
import { SortableList } from '../sortable/SortableList.tsx';
import { ServiceDialog } from './ServiceDialog.tsx';
import { ServiceRow } from './ServiceRow.tsx';

/** The artist's services: what clients can book, in the order that they see. */
export function Services({ me }: { me: CurrentArtist }) {
  const list = useStore(services.$list);
  const skip = useStore(services.$skip);
  const opened = useStore($dialog);
  useEffect(restoreDialog, []);

  return (
    <>
      {me.scheduling_type !== 'service' && <NotBookableNotice type={me.scheduling_type} />}
      <LoadableView value={list} label="services" onRetry={services.reload}>
        {({ data, count }) =>
          count === 0 ? (
            <NoServices />
          ) : (
            <>
              <p className="max-w-prose text-muted">
                What clients can book, in the order they see it. Drag to change the order.
              </p>
              <SortableList
                label="Services"
                items={data}
                skip={skip}
                count={count}
                layout="list"
                className="grid gap-3"
                itemName={serviceName}
                onMove={services.move}
              >
                {(service, grip, moves) => (
                  <ServiceRow service={service} dragHandle={grip} moveActions={moves} />
                )}
              </SortableList>
              <Pagination
                skip={skip}
                limit={MAX_PAGE_SIZE}
                count={count}
                label="services"
                onSkipChange={(to) => services.$skip.set(to)}
              />
            </>
          )
        }
      </LoadableView>
      <ServiceDialogOutlet key={opened} opened={opened} services={list.data?.data ?? []} />
    </>
  );
}

const serviceName = ({ name }: Service) => name;

/** Why clients book none of these at present. */
function NotBookableNotice({ type }: { type: CurrentArtist['scheduling_type'] }) {
  return (
    <p className="card max-w-prose border-l-4 border-l-main p-4">
      {type === 'managed'
        ? 'Clients send you requests and you set the times, so they do not book services themselves.'
        : 'Clients can book services once you have chosen how they book.'}{' '}
      <a href="/studio/profile#booking" className="link">
        How clients book
      </a>
    </p>
  );
}

function NoServices() {
  return (
    <EmptyState title="No services yet">
      <p>
        A service is something clients can book: a small flash piece, a full-day session, a
        consultation. Give it a name and a length; your open hours do the rest.
      </p>
      <button type="button" className="button button-main" onClick={() => openDialog('new')}>
        Add your first service
      </button>
    </EmptyState>
  );
}

function ServiceDialogOutlet({
  opened,
  services,
}: {
  opened: string | null;
  services: readonly Service[];
}) {
  if (opened === 'new') return <ServiceDialog service={null} onClose={closeDialog} />;
  const service = services.find(({ id }) => id === opened);
  return service ? <ServiceDialog service={service} onClose={closeDialog} /> : null;
}
