import { useStore } from '@nanostores/react';
import type { CurrentArtist } from '#contract/artist.ts';
import { formatDayWithYear } from '#domain/format_time.ts';
import { $newRequests } from '#stores/studio/home.ts';
import { EndedOffer } from '../appointments/AppointmentHistory.tsx';
import { appointmentClientName, formatSubject } from '../appointments/labels.ts';
import { ButtonLink } from '../buttons.tsx';
import { LoadableView } from '../LoadableView.tsx';
import { AppointmentLink } from './AppointmentLink.tsx';

/** The count of unanswered requests, and the newest of them. */
export function PendingRequests({ me }: { me: CurrentArtist }) {
  const requests = useStore($newRequests);
  return (
    <section aria-labelledby="requests-waiting" className="card grid gap-3 p-5">
      <h2 id="requests-waiting" className="text-xl">
        {requests.data && requests.data.count > 0
          ? `Requests waiting (${requests.data.count})`
          : 'Requests waiting'}
      </h2>
      <LoadableView value={requests} label="requests" onRetry={$newRequests.revalidate}>
        {({ data, count }) =>
          count === 0 ? (
            <p className="text-muted">Nobody waits for an answer from you.</p>
          ) : (
            <>
              <ul className="grid">
                {data.map((request) => (
                  <AppointmentLink
                    key={request.id}
                    href={`/studio/appointments?show=requests&id=${request.id}`}
                    name={appointmentClientName(request.client)}
                  >
                    <span className="block text-muted">{formatSubject(request)}</span>
                    <span className="grid text-sm">
                      <EndedOffer appointment={request} zone={me.studio} />
                    </span>
                    <span className="block text-sm text-muted">
                      {`Asked on ${formatDayWithYear(request.created_at, me.studio)}`}
                    </span>
                  </AppointmentLink>
                ))}
              </ul>
              <ButtonLink
                label={count === 1 ? 'Open the inbox' : `Answer all ${count}`}
                look="main"
                href="/studio/appointments?show=requests"
              />
            </>
          )
        }
      </LoadableView>
    </section>
  );
}
