import { useStore } from '@nanostores/react';
import { type ComponentType, useEffect, useLayoutEffect, useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { describeTimeZone } from '#domain/describe_time_zone.ts';
import { $adminPart, ADMIN_PARTS, type AdminPart, readAdminPart } from '#stores/studio/admin.ts';
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

const PARTS: Record<AdminPart, { name: string; Content: ComponentType<{ me: CurrentArtist }> }> = {
  artists: { name: 'Artists', Content: ArtistsPart },
  mail: { name: 'Mail', Content: MailPart },
  jobs: { name: 'Jobs', Content: JobsPart },
  errors: { name: 'Errors', Content: ErrorsPart },
  server: { name: 'Server', Content: ServerPart },
  actions: { name: 'Actions', Content: ActionsPart },
};

/** The operator's page, for superusers. Others read what a missing page says. */
export default createStudioPage('admin', Admin, null, ({ is_superuser }) =>
  is_superuser ? 'Admin' : 'Page not found',
);

function Admin({ me }: { me: CurrentArtist }) {
  if (me.is_superuser) return <AdminParts me={me} />;
  return (
    <p>
      <ButtonLink label="Go back" href="/" />
    </p>
  );
}

function AdminParts({ me }: { me: CurrentArtist }) {
  const current = useStore($adminPart);
  const [isUrlRead, setUrlRead] = useState(false);
  useLayoutEffect(() => {
    readAdminPart();
    setUrlRead(true);
  }, []);
  useEffect(() => {
    addEventListener('hashchange', readAdminPart);
    return () => removeEventListener('hashchange', readAdminPart);
  }, []);
  if (!isUrlRead) return null;
  const { name, Content } = PARTS[current];
  return (
    <>
      <nav aria-label="Parts of the admin page">
        <ul className="flex flex-wrap gap-2">
          {ADMIN_PARTS.map((part) => (
            <li key={part}>
              <a
                href={`#${part}`}
                aria-current={part === current ? 'page' : undefined}
                className="inline-flex min-h-11 items-center rounded-full border border-field px-4 font-semibold hover:border-ink aria-[current]:border-main aria-[current]:bg-main aria-[current]:text-on-main"
              >
                <span>{PARTS[part].name}</span>
                <PartCount part={part} />
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <section aria-labelledby={PART_TITLE_ID} className="grid grid-cols-1 gap-5">
        <h2 id={PART_TITLE_ID} tabIndex={-1} className="text-2xl">
          {name}
        </h2>
        <Content me={me} />
        <p className="text-sm text-muted">{`Times are in ${describeTimeZone(me.studio.time_zone)}.`}</p>
      </section>
    </>
  );
}

const COUNT_LABELS: Partial<Record<AdminPart, string>> = {
  mail: 'not delivered',
  jobs: 'given up',
  errors: 'in 14 days',
};

function PartCount({ part }: { part: AdminPart }) {
  const count = useStore($troubleCounts)[part] ?? 0;
  if (count === 0) return null;
  return (
    <>
      <span className="ml-2 rounded-full border border-current px-2 text-sm">{` ${count}`}</span>
      <span className="sr-only">{` ${COUNT_LABELS[part]}`}</span>
    </>
  );
}
