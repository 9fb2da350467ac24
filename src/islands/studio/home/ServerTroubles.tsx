import { useStore } from '@nanostores/react';
import { $serverState } from '#stores/studio/server_state.ts';
import { TextLink } from '../buttons.tsx';
import { Icon } from '../Icon.tsx';

/** Tells a superuser what went wrong on the server of late; nothing when all went well. */
export function ServerTroubles() {
  const server = useStore($serverState).data?.troubles;
  if (!server) return null;
  const troubles = [
    {
      part: 'mail',
      count: server.new_failed_mails,
      one: 'mail failed in 24 hours',
      many: 'mails failed in 24 hours',
    },
    {
      part: 'mail',
      count: server.retried_mails,
      one: 'mail is tried again now',
      many: 'mails are tried again now',
    },
    {
      part: 'jobs',
      count: server.failed_jobs,
      one: 'job was given up in the last hour',
      many: 'jobs were given up in the last hour',
    },
    {
      part: 'errors',
      count: server.new_errors,
      one: 'error in 24 hours',
      many: 'errors in 24 hours',
    },
  ].filter(({ count }) => count > 0);
  if (troubles.length === 0) return null;
  return (
    <section
      aria-labelledby="server-troubles"
      className="card grid gap-1 border-l-4 border-l-danger p-5"
    >
      <h2 id="server-troubles" className="flex items-center gap-2 text-xl">
        <Icon name="alert" className="size-6 text-danger" />
        <span>This server needs attention</span>
      </h2>
      <p className="text-muted">For all artists:</p>
      <ul className="flex flex-wrap gap-x-6">
        {troubles.map(({ part, count, one, many }) => (
          <li key={one}>
            <TextLink
              label={`${count} ${count === 1 ? one : many}`}
              href={`/studio/admin#${part}`}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
