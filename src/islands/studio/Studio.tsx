import { useStore } from '@nanostores/react';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { $token, onExpiry, signOut } from '#stores/session.ts';
import { deleteNow } from '#stores/studio/deferred_deletion.ts';
import { $me } from '#stores/studio/me.ts';
import { typedBy } from '#stores/typed.ts';
import { useHydrated } from '../hydrated.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { BillingNews } from './billing/BillingNews.tsx';
import { Navigation } from './Navigation.tsx';
import { Reading } from './Reading.tsx';
import type { Section } from './sections.ts';

interface StudioProps {
  productName: string;
  section: Section;
  title: string;
  /** What stands to the right of the title, such as a button that adds something. */
  actions?: ReactNode;
  /** The page, once it is known whose studio this is. */
  children: (me: CurrentArtist) => ReactNode;
}

/** What every page of the studio shares: navigation, title, messages, and who may be here. */
export function Studio({ productName, section, title, actions, children }: StudioProps) {
  const token = useStore($token);
  const me = useKnown(useStore($me));
  const hydrated = useHydrated();
  const isOut = hydrated && token === undefined;
  useLogin(hydrated, token !== undefined);

  const { data } = me;
  useSameArtist(data);
  if (data) typedBy(data.id);
  return (
    <div className="flex min-h-dvh flex-col lg:flex-row">
      <Navigation
        productName={productName}
        current={section}
        pageHref={data ? `/${data.username}/` : null}
        hasBilling={data != null && data.subscription !== null}
        onLogOut={() => deleteNow().finally(signOut)}
      />
      <main id="main" className="min-w-0 flex-1 px-4 pt-4 pb-28 sm:px-6 lg:px-10 lg:pt-10 lg:pb-16">
        <div className="mx-auto grid max-w-6xl gap-6">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h1 className="stroke text-3xl sm:text-4xl">{title}</h1>
            {data && actions}
          </div>
          {data && section !== 'billing' && <BillingNews me={data} />}
          {hydrated && !isOut ? (
            <Reading value={me} what="studio" onRetry={$me.revalidate}>
              {(artist) => <Fragment key={artist.id}>{children(artist)}</Fragment>}
            </Reading>
          ) : (
            <Reading value={{ loading: true }} what="studio" onRetry={() => {}}>
              {() => null}
            </Reading>
          )}
        </div>
      </main>
      <Toasts aboveBar />
    </div>
  );
}

/** With what was known last: a new token, or a reading that fails, must not close what is open. */
function useKnown(me: ReturnType<typeof $me.get>): typeof me {
  const [known, setKnown] = useState(me.data);
  if (me.data && me.data !== known) setKnown(me.data);
  return known && !me.data ? { ...me, data: known } : me;
}

/** Another artist logged in, in another tab: nothing that was read for the first may stay. */
function useSameArtist(artist: CurrentArtist | undefined): void {
  const first = useRef(artist?.id);
  useEffect(() => {
    first.current ??= artist?.id;
    if (artist && artist.id !== first.current) location.reload();
  }, [artist]);
}

let hasExpired = false;
onExpiry(() => {
  hasExpired = true;
});

/** Leads to the login, and back to this page afterwards unless the artist logged out on it. */
function useLogin(hydrated: boolean, isIn: boolean): void {
  const wasIn = useRef(false);
  useEffect(() => {
    if (!hydrated) return;
    if (isIn) {
      wasIn.current = true;
      return;
    }
    const here = encodeURIComponent(location.pathname + location.search);
    location.replace(wasIn.current && !hasExpired ? '/login' : `/login?next=${here}`);
  }, [hydrated, isIn]);
}
