import { useStore } from '@nanostores/react';
import { type ComponentType, Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
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
import { STUDIO_PAGES, type StudioPageId } from './studio_pages.ts';

interface StudioLayoutProps {
  productName: string;
  page: StudioPageId;
  title: string;
  /** Shown to the right of the title, such as an add button. */
  actions?: ReactNode;
  /** Rendered once the artist is loaded. */
  children: (me: CurrentArtist) => ReactNode;
}

/** The frame of every studio page: navigation, title, toasts, and the redirect to the login. */
export function StudioLayout({ productName, page, title, actions, children }: StudioLayoutProps) {
  const me = useLastLoaded(useStore($me));
  const hydrated = useHydrated();
  const isLoggedIn = useStore($token) !== undefined;
  useLoginRedirect(hydrated, isLoggedIn);

  const artist = me.data;
  useReloadOnOtherArtist(artist);
  if (artist) setFormDraftOwner(artist.id);
  return (
    <div className="flex min-h-dvh flex-col lg:flex-row">
      <StudioNavigation
        productName={productName}
        currentPage={page}
        publicPageHref={artist ? `/${artist.username}/` : null}
        hasBilling={artist !== undefined && artist.subscription !== null}
        onLogOut={() => sendDeletionsNow().finally(endSession)}
      />
      <main id="main" className="min-w-0 flex-1 px-4 pt-4 pb-28 sm:px-6 lg:px-10 lg:pt-10 lg:pb-16">
        <div className="mx-auto grid max-w-6xl gap-6">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h1 className="stroke text-3xl sm:text-4xl">{title}</h1>
            {artist && actions}
          </div>
          {artist && page !== 'billing' && <BillingBanner me={artist} />}
          <LoadableView
            value={hydrated && isLoggedIn ? me : { loading: true }}
            label="studio"
            onRetry={$me.revalidate}
          >
            {(artist) => <Fragment key={artist.id}>{children(artist)}</Fragment>}
          </LoadableView>
        </div>
      </main>
      <Toasts aboveBar />
    </div>
  );
}

/** Creates a page of the studio, with its name as the title, `actions` beside it, and `Content`. */
export function createStudioPage(
  page: StudioPageId,
  Content: ComponentType<{ me: CurrentArtist; productName: string }>,
  actions?: ReactNode,
) {
  const title = STUDIO_PAGES.find(({ id }) => id === page)?.name ?? '';
  return function StudioPage({ productName }: { productName: string }) {
    return (
      <StudioLayout productName={productName} page={page} title={title} actions={actions}>
        {(me) => <Content me={me} productName={productName} />}
      </StudioLayout>
    );
  };
}

/** Adds the last loaded artist: a new token or a failed reload must not close an open dialog. */
function useLastLoaded(me: ReturnType<typeof $me.get>): typeof me {
  const [lastArtist, setLastArtist] = useState(me.data);
  if (me.data && me.data !== lastArtist) setLastArtist(me.data);
  return lastArtist && !me.data ? { ...me, data: lastArtist } : me;
}

/** Drops the data of the first artist when another one logs in, in another tab. */
function useReloadOnOtherArtist(artist: CurrentArtist | undefined): void {
  const firstId = useRef(artist?.id);
  useEffect(() => {
    firstId.current ??= artist?.id;
    if (artist && artist.id !== firstId.current) location.reload();
  }, [artist]);
}

let hasSessionExpired = false;
onSessionExpired(() => {
  hasSessionExpired = true;
});

/** Redirects to the login, and back to this page afterwards unless the artist logged out here. */
function useLoginRedirect(hydrated: boolean, isLoggedIn: boolean): void {
  const wasLoggedIn = useRef(false);
  useEffect(() => {
    wasLoggedIn.current ||= isLoggedIn;
    if (!hydrated || isLoggedIn) return;
    const here = encodeURIComponent(location.pathname + location.search);
    location.replace(wasLoggedIn.current && !hasSessionExpired ? '/login' : `/login?next=${here}`);
  }, [hydrated, isLoggedIn]);
}
