import { useStore } from '@nanostores/react';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { setFormDraftOwner } from '#stores/form_drafts.ts';
import { $token, endSession, onSessionExpired } from '#stores/session.ts';
import { sendDeletionsNow } from '#stores/studio/deferred_deletion.ts';
import { $me } from '#stores/studio/me.ts';
import { useHydrated } from '../browser.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { BillingBanner } from './billing/BillingBanner.tsx';
import { LoadableView } from './LoadableView.tsx';
import { StudioNavigation } from './Navigation.tsx';
import type { StudioPageId } from './studio_pages.ts';

interface StudioLayoutProps {
  productName: string;
  page: StudioPageId;
  title: string;
  /** What stands to the right of the title, such as a button that adds something. */
  actions?: ReactNode;
  /** The page, once it is known whose studio this is. */
  children: (me: CurrentArtist) => ReactNode;
}

/** What every page of the studio shares: navigation, title, messages, and who may be here. */
export function StudioLayout({
  productName,
  page: section,
  title,
  actions,
  children,
}: StudioLayoutProps) {
  const token = useStore($token);
  const me = useLastLoaded(useStore($me));
  const hydrated = useHydrated();
  const isOut = hydrated && token === undefined;
  useLoginRedirect(hydrated, token !== undefined);

  const { data } = me;
  useReloadOnOtherArtist(data);
  if (data) setFormDraftOwner(data.id);
  return (
    <div className="flex min-h-dvh flex-col lg:flex-row">
      <StudioNavigation
        productName={productName}
        currentPage={section}
        publicPageHref={data ? `/${data.username}/` : null}
        hasBilling={data != null && data.subscription !== null}
        onLogOut={() => sendDeletionsNow().finally(endSession)}
      />
      <main id="main" className="min-w-0 flex-1 px-4 pt-4 pb-28 sm:px-6 lg:px-10 lg:pt-10 lg:pb-16">
        <div className="mx-auto grid max-w-6xl gap-6">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h1 className="stroke text-3xl sm:text-4xl">{title}</h1>
            {data && actions}
          </div>
          {data && section !== 'billing' && <BillingBanner me={data} />}
          {hydrated && !isOut ? (
            <LoadableView value={me} label="studio" onRetry={$me.revalidate}>
              {(artist) => <Fragment key={artist.id}>{children(artist)}</Fragment>}
            </LoadableView>
          ) : (
            <LoadableView value={{ loading: true }} label="studio" onRetry={() => {}}>
              {() => null}
            </LoadableView>
          )}
        </div>
      </main>
      <Toasts aboveBar />
    </div>
  );
}

/** With what was known last: a new token, or a reading that fails, must not close what is open. */
function useLastLoaded(me: ReturnType<typeof $me.get>): typeof me {
  const [known, setKnown] = useState(me.data);
  if (me.data && me.data !== known) setKnown(me.data);
  return known && !me.data ? { ...me, data: known } : me;
}

/** Another artist logged in, in another tab: nothing that was read for the first may stay. */
function useReloadOnOtherArtist(artist: CurrentArtist | undefined): void {
  const first = useRef(artist?.id);
  useEffect(() => {
    first.current ??= artist?.id;
    if (artist && artist.id !== first.current) location.reload();
  }, [artist]);
}

let hasExpired = false;
onSessionExpired(() => {
  hasExpired = true;
});

/** Leads to the login, and back to this page afterwards unless the artist logged out on it. */
function useLoginRedirect(hydrated: boolean, isIn: boolean): void {
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
