import { useStore } from '@nanostores/react';
import { useSyncExternalStore } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { describeTimeZone } from '#domain/time/describe_time_zone.ts';
import { $troubleCounts } from '#stores/studio/server_state.ts';
import { ButtonLink } from '../buttons.tsx';
import { createStudioPage } from '../create_studio_page.tsx';
import { ActionsPart } from './ActionsPart.tsx';
import { PART_TITLE_ID } from './AdminListView.tsx';
import { ArtistsPart } from './ArtistsPart.tsx';
import { ErrorsPart } from './ErrorsPart.tsx';
import { JobsPart } from './JobsPart.tsx';
import { MailPart } from './MailPart.tsx';
import { ServerPart } from './ServerPart.tsx';

/** `countLabel` follows the count of the entries that need attention, as in `3 not delivered`. */
const PARTS = [
  { id: 'artists', name: 'Artists', Content: ArtistsPart, countLabel: null },
  { id: 'mail', name: 'Mail', Content: MailPart, countLabel: 'not delivered' },
  { id: 'jobs', name: 'Jobs', Content: JobsPart, countLabel: 'given up' },
  { id: 'errors', name: 'Errors', Content: ErrorsPart, countLabel: 'in 14 days' },
  { id: 'server', name: 'Server', Content: ServerPart, countLabel: null },
  { id: 'actions', name: 'Actions', Content: ActionsPart, countLabel: null },
] as const;

/** The operator's page, for superusers. Others see the text of a missing page. */
export default createStudioPage('admin', Admin, {
  titleFor: ({ is_superuser }) => (is_superuser ? 'Admin' : 'Page not found'),
});

function Admin({ me }: { me: CurrentArtist }) {
  if (me.is_superuser) return <AdminParts me={me} />;
  return (
    <p>
      <ButtonLink label="Go back" href="/" />
    </p>
  );
}

function subscribeToHash(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

/** Shows the part that the address names, such as `#errors`; the first one for any other. */
function AdminParts({ me }: { me: CurrentArtist }) {
  const hash = useSyncExternalStore(subscribeToHash, () => location.hash);
  const counts = useStore($troubleCounts);
  const shownPart = PARTS.find(({ id }) => hash === `#${id}`) ?? PARTS[0];
  return (
    <>
      <nav aria-label="Parts of the admin page">
        <ul className="flex flex-wrap gap-2">
          {PARTS.map(({ id, name, countLabel }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                aria-current={id === shownPart.id ? 'page' : undefined}
                className="inline-flex min-h-11 items-center rounded-full border border-field px-4 font-semibold hover:border-ink aria-[current]:border-main aria-[current]:bg-main aria-[current]:text-on-main"
              >
                <span>{name}</span>
                {countLabel !== null && <Count count={counts[id] ?? 0} label={countLabel} />}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <section aria-labelledby={PART_TITLE_ID} className="grid grid-cols-1 gap-5">
        <h2 id={PART_TITLE_ID} tabIndex={-1} className="text-2xl">
          {shownPart.name}
        </h2>
        <shownPart.Content me={me} />
        <p className="text-sm text-muted">{`Times are in ${describeTimeZone(me.studio.time_zone)}.`}</p>
      </section>
    </>
  );
}

function Count({ count, label }: { count: number; label: string }) {
  if (count === 0) return null;
  return (
    <>
      <span className="ml-2 rounded-full border border-current px-2 text-sm">{` ${count}`}</span>
      <span className="sr-only">{` ${label}`}</span>
    </>
  );
}
