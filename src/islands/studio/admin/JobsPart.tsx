import type { JobQueueState } from '#contract/admin.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { formatShortDateAndTime } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { $jobQueues } from '#stores/studio/admin.ts';
import { QueryView } from '../LoadableView.tsx';
import { formatQueueName, isDeadLetterQueue } from './labels.ts';
import { ReloadButton } from './ReloadButton.tsx';

/** The job queues: how many jobs wait, run and have failed. */
export function JobsPart({ me }: { me: CurrentArtist }) {
  return (
    <QueryView query={$jobQueues} label="jobs">
      {({ data: queues }) => {
        const active = queues.filter(isActive);
        const idle = queues.filter((queue) => !isActive(queue) && !isDeadLetterQueue(queue.queue));
        return (
          <div className="grid grid-cols-1 gap-5">
            {active.length === 0 ? (
              <p className="card p-5">Nothing waits, and nothing has failed.</p>
            ) : (
              <ul
                aria-label="Queues with jobs"
                className="card grid grid-cols-1 divide-y divide-line overflow-hidden"
              >
                {active.map((queue) => (
                  <QueueRow key={queue.queue} queue={queue} zone={me.studio} />
                ))}
              </ul>
            )}
            {idle.length > 0 && (
              <p className="text-muted wrap-anywhere">
                {`Without jobs: ${idle.map(({ queue }) => formatQueueName(queue)).join(', ')}.`}
              </p>
            )}
            <ReloadButton query={$jobQueues} resources={['admin-jobs', 'admin-server']} />
          </div>
        );
      }}
    </QueryView>
  );
}

function isActive({ waiting, retrying, running, failed, last_error }: JobQueueState): boolean {
  return waiting + retrying + running + failed > 0 || last_error !== null;
}

function QueueRow({ queue, zone }: { queue: JobQueueState; zone: StudioZone }) {
  const { oldest_at, last_error } = queue;
  return (
    <li className="grid grid-cols-1 gap-1 px-4 py-4 wrap-anywhere sm:px-5">
      <h3 className="font-sans font-semibold">{formatQueueName(queue.queue)}</h3>
      <p>{formatCounts(queue)}</p>
      {oldest_at !== null && (
        <p className="text-sm text-muted">
          {`The oldest waits since ${formatShortDateAndTime(oldest_at, zone)}.`}
        </p>
      )}
      {last_error !== null && (
        <p className="text-sm text-danger">
          {`Last error, ${formatShortDateAndTime(last_error.happened_at, zone)}: ${last_error.name}: ${last_error.message}`}
        </p>
      )}
    </li>
  );
}

function formatCounts({ waiting, retrying, running, failed }: JobQueueState): string {
  const counts = [
    [waiting, 'waiting'],
    [retrying, 'to be tried again'],
    [running, 'running'],
    [failed, 'given up'],
  ] as const;
  const shown = counts.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`);
  return shown.length === 0 ? 'No jobs now' : shown.join(' · ');
}
