import type { ServerError } from '#contract/admin.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { ownFrames } from '#domain/text/stack_frames.ts';
import { formatShortDateAndTime } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { serverErrors } from '#stores/studio/admin.ts';
import { AdminListView } from './AdminListView.tsx';

/** The errors of the server's responses and jobs in the last 14 days. */
export function ErrorsPart({ me }: { me: CurrentArtist }) {
  return (
    <>
      <p className="max-w-prose text-muted">
        A page that fails shows its visitor a reference. Search for it here. What failed because the
        database was away is only in the server’s log.
      </p>
      <AdminListView
        list={serverErrors}
        noun="error"
        searchPlaceholder="Reference or route"
        empty={{
          title: 'No errors',
          text: 'Errors of the server within the last 14 days are listed here.',
        }}
      >
        {(error) => <ErrorRow error={error} zone={me.studio} />}
      </AdminListView>
    </>
  );
}

function ErrorRow({ error, zone }: { error: ServerError; zone: StudioZone }) {
  const { name, code, message, route, status, request_id, happened_at, stack } = error;
  const facts = [
    formatShortDateAndTime(happened_at, zone),
    // The error of a job has no status; its route is `job` and the name of the queue.
    status === null ? route : `${route} answered ${status}`,
  ];
  if (code !== null) facts.push(`code ${code}`);
  return (
    <div className="grid grid-cols-1 gap-1 wrap-anywhere">
      <h3 className="font-sans font-semibold">{`${name}: ${message}`}</h3>
      <p className="text-sm text-muted">{facts.join(' · ')}</p>
      {request_id !== null && <p className="text-sm text-muted">{`Reference: ${request_id}`}</p>}
      {stack !== '' && (
        <details>
          <summary className="cursor-pointer py-2.5 font-semibold">Where it happened</summary>
          <pre
            // Focusable, so that a keyboard can scroll it.
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
            tabIndex={0}
            className="overflow-x-auto rounded-md border border-line bg-paper p-3 text-xs"
          >
            {ownFrames(stack.split('\n')).join('\n')}
          </pre>
        </details>
      )}
    </div>
  );
}
