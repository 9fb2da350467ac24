import { useStore } from '@nanostores/react';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { formatDayWithYear } from '#domain/format_time.ts';
import { $newRequests } from '#stores/studio/home.ts';
import { clientName, formatSubject } from '../appointments/labels.ts';
import { LoadableView } from '../LoadableView.tsx';

/** How many clients wait for an answer, and who came last. */
export function PendingRequests({ me }: { me: CurrentArtist }) {
  const requests = useStore($newRequests);
  return (
    <section aria-labelledby="requests-waiting" className="card grid gap-3 p-5">
      <h2 id="requests-waiting" className="text-xl">
        Requests waiting{requests.data && requests.data.count > 0 && ` (${requests.data.count})`}
      </h2>
      <LoadableView value={requests} label="requests" onRetry={$newRequests.revalidate}>
        {({ data, count }) =>
          count === 0 ? (
            <p className="text-muted">Nobody waits for an answer from you.</p>
          ) : (
            <>
              <ul className="grid">
                {data.map((request) => (
                  <RequestRow key={request.id} request={request} zone={me.studio.time_zone} />
                ))}
              </ul>
              <a className="button button-main" href="/studio/appointments?show=requests">
                {count === 1 ? 'Open the inbox' : `Answer all ${count}`}
              </a>
            </>
          )
        }
      </LoadableView>
    </section>
  );
}

function RequestRow({ request, zone }: { request: Appointment; zone: string }) {
  return (
    <li className="border-t border-line first:border-t-0">
      <a
        href={`/studio/appointments?show=requests&id=${request.id}`}
        className="-mx-2 block min-h-11 rounded-md px-2 py-2.5 wrap-anywhere hover:bg-paper"
      >
        <span className="font-semibold underline decoration-main decoration-2 underline-offset-4">
          {clientName(request.client)}
        </span>
        <span className="block text-muted">{formatSubject(request)}</span>
        <span className="block text-sm text-muted">
          {formatDayWithYear(request.created_at, zone)}
        </span>
      </a>
    </li>
  );
}
