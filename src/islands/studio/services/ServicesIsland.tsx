import { useStore } from '@nanostores/react';
import type { CurrentArtist } from '#contract/artist.ts';
import { $dialog, openDialog } from '#stores/studio/dialog.ts';
import { services } from '#stores/studio/services.ts';
import { Button } from '../buttons.tsx';
import { createStudioPage } from '../create_studio_page.tsx';
import { OrderedListView } from '../sortable/OrderedListView.tsx';
import { ServiceDialog } from './ServiceDialog.tsx';
import { ServiceRow } from './ServiceRow.tsx';

/** The studio page where artists add, edit and sort their services. */
export default createStudioPage('services', Services, {
  actions: <Button label="Add service" icon="plus" look="main" onClick={() => openDialog('new')} />,
});

function Services({ me }: { me: CurrentArtist }) {
  const dialogId = useStore($dialog);
  return (
    <>
      {me.scheduling_type !== 'service' && (
        <p className="card max-w-prose border-l-4 border-l-main p-4">
          <span>
            {me.scheduling_type === 'managed'
              ? 'Clients send you requests and you set the times, so they do not book services themselves. '
              : 'Clients can book services once you have chosen how they book. '}
          </span>
          <a href="/studio/profile#booking" className="link">
            How clients book
          </a>
        </p>
      )}
      <OrderedListView
        label="services"
        listLabel="Services"
        intro="What clients can book, in the order they see it."
        list={services}
        layout="list"
        emptyTitle="No services yet"
        emptyText="A service is something clients can book: a small flash piece, a full-day session, a consultation. Give it a name and a length; your open hours do the rest."
        emptyAction={
          <Button label="Add your first service" look="main" onClick={() => openDialog('new')} />
        }
        itemName={({ name }) => name}
        dialog={(service) => <ServiceDialog service={service} currency={me.currency} />}
        Card={ServiceRow}
      />
      {dialogId === 'new' && <ServiceDialog service={null} currency={me.currency} />}
    </>
  );
}
