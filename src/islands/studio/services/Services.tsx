import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import type { Service } from '#contract/service.ts';
import { $opened, close, open, reopen } from '#stores/studio/opened.ts';
import { LIST_LIMIT } from '#stores/studio/ordered_list.ts';
import { services } from '#stores/studio/services.ts';
import { Empty } from '../Empty.tsx';
import { Ordered } from '../ordered/Ordered.tsx';
import { Pager } from '../Pager.tsx';
import { Reading } from '../Reading.tsx';
import { ServiceDialog } from './ServiceDialog.tsx';
import { ServiceRow } from './ServiceRow.tsx';

/** The artist's services: what clients can book, in the order that they see. */
export function Services({ me }: { me: CurrentArtist }) {
  const list = useStore(services.$list);
  const skip = useStore(services.$skip);
  const opened = useStore($opened);
  useEffect(reopen, []);

  return (
    <>
      {me.scheduling_type !== 'service' && <NotBooked type={me.scheduling_type} />}
      <Reading value={list} what="services" onRetry={services.reread}>
        {({ data, count }) =>
          count === 0 ? (
            <None />
          ) : (
            <>
              <p className="max-w-prose text-muted">
                What clients can book, in the order they see it. Drag to change the order.
              </p>
              <Ordered
                label="Services"
                items={data}
                skip={skip}
                count={count}
                layout="list"
                className="grid gap-3"
                nameOf={nameOf}
                onMove={services.move}
              >
                {(service, grip, moves) => (
                  <ServiceRow service={service} grip={grip} moves={moves} />
                )}
              </Ordered>
              <Pager
                skip={skip}
                limit={LIST_LIMIT}
                count={count}
                what="services"
                onSkip={(to) => services.$skip.set(to)}
              />
            </>
          )
        }
      </Reading>
      <OpenDialog key={opened} opened={opened} services={list.data?.data ?? []} />
    </>
  );
}

const nameOf = ({ name }: Service) => name;

/** Why clients book none of these at present. */
function NotBooked({ type }: { type: CurrentArtist['scheduling_type'] }) {
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

function None() {
  return (
    <Empty title="No services yet">
      <p>
        A service is something clients can book: a small flash piece, a full-day session, a
        consultation. Give it a name and a length; your open hours do the rest.
      </p>
      <button type="button" className="button button-main" onClick={() => open('new')}>
        Add your first service
      </button>
    </Empty>
  );
}

function OpenDialog({ opened, services }: { opened: string | null; services: readonly Service[] }) {
  if (opened === 'new') return <ServiceDialog service={null} onClose={close} />;
  const service = services.find(({ id }) => id === opened);
  return service ? <ServiceDialog service={service} onClose={close} /> : null;
}
