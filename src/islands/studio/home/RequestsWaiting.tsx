import { useStore } from '@nanostores/react';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { formatDayWithYear } from '#domain/show_time.ts';
import { $requestsWaiting } from '#stores/studio/home.ts';
import { clientName, subject } from '../appointments/words.ts';
import { Reading } from '../Reading.tsx';

/** How many clients wait for an answer, and who came last. */
export function RequestsWaiting({ me }: { me: CurrentArtist }) {
  const requests = useStore($requestsWaiting);
  return (
    <section aria-labelledby="requests-waiting" className="card grid gap-3 p-5">
      <h2 id="requests-waiting" className="text-xl">
        Requests waiting{requests.data && requests.data.count > 0 && ` (${requests.data.count})`}
      </h2>
      <Reading value={requests} what="requests" onRetry={$requestsWaiting.revalidate}>
        {({ data, count }) =>
          count === 0 ? (
            <p className="text-muted">Nobody waits for an answer from you.</p>
          ) : (
            <>
              <ul className="grid">
                {data.map((request) => (
                  <Request key={request.id} request={request} zone={me.studio.time_zone} />
                ))}
              </ul>
              <a className="button button-main" href="/studio/appointments?show=requests">
                {count === 1 ? 'Open the inbox' : `Answer all ${count}`}
              </a>
            </>
          )
        }
      </Reading>
    </section>
  );
}

function Request({ request, zone }: { request: Appointment; zone: string }) {
  return (
    <li className="border-t border-line first:border-t-0">
      <a
        href={`/studio/appointments?show=requests&id=${request.id}`}
        className="-mx-2 block min-h-11 rounded-md px-2 py-2.5 wrap-anywhere hover:bg-paper"
      >
        <span className="font-semibold underline decoration-main decoration-2 underline-offset-4">
          {clientName(request.client)}
        </span>
        <span className="block text-muted">{subject(request)}</span>
        <span className="block text-sm text-muted">
          {formatDayWithYear(request.created_at, zone)}
        </span>
      </a>
    </li>
  );
}
