import type { FetcherValue } from '@nanostores/query';
import { useStore } from '@nanostores/react';
import { type ComponentType, type ReactElement, useEffect, useRef, useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { setFormDraftOwner } from '#stores/form_drafts.ts';
import { $token, onSessionExpired } from '#stores/session.ts';
import { $me } from '#stores/studio/me.ts';
import { useHydrated } from '../browser.ts';
import { ErrorBoundary } from '../ErrorBoundary.tsx';
import { Toasts } from '../toasts/Toasts.tsx';
import { AlarmBanner } from './abuse/AlarmBanner.tsx';
import { TimeChangesBanner } from './appointments/TimeChangesBanner.tsx';
import { BillingBanner } from './billing/BillingBanner.tsx';
import { EmailProofBanner } from './EmailProofBanner.tsx';
import { LoadableView } from './LoadableView.tsx';
import { StudioNavigation } from './Navigation.tsx';
import { STUDIO_PAGES, type StudioPageId } from './studio_pages.ts';

/** The pages that warn of appointments whose clock time has changed: those that list times. */
const PAGES_OF_TIMES: readonly StudioPageId[] = ['home', 'appointments', 'calendar'];

interface StudioPageHeader {
  /** To the right of the title, such as an add button. */
  actions?: ReactElement;
  /** The title once the artist is loaded; by default the page's name. */
  titleFor?: (me: CurrentArtist) => string;
}

/**
 * Creates a page of the studio: navigation, title and toasts around `Content`, which is rendered
 * once the artist is loaded. Without a login it redirects to the login.
 */
export function createStudioPage(
  page: StudioPageId,
  Content: ComponentType<{ me: CurrentArtist; productName: string }>,
  { actions, titleFor }: StudioPageHeader = {},
) {
  const pageName = STUDIO_PAGES.find(({ id }) => id === page)?.name ?? '';
  return function StudioPage({ productName }: { productName: string }) {
    const meQuery = useLastLoaded(useStore($me));
    const isHydrated = useHydrated();
    const isLoggedIn = useStore($token) !== undefined;
    useLoginRedirect(isHydrated, isLoggedIn);

    const artist = meQuery.data;
    useReloadOnOtherArtist(artist);
    // Before `Content` is mounted, whose forms take their drafts.
    if (artist) setFormDraftOwner(artist.id);
    return (
      <div className="flex min-h-dvh flex-col lg:flex-row">
        <StudioNavigation productName={productName} currentPage={page} artist={artist} />
        <main
          id="main"
          className="min-w-0 flex-1 px-4 pt-4 pb-28 sm:px-6 lg:px-10 lg:pt-10 lg:pb-16"
        >
          <div className="mx-auto grid max-w-6xl gap-6">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <h1 className="stroke text-3xl sm:text-4xl">
                {artist && titleFor ? titleFor(artist) : pageName}
              </h1>
              {artist && actions}
            </div>
            {artist && <AlarmBanner />}
            {artist && <EmailProofBanner me={artist} />}
            {artist && page !== 'billing' && <BillingBanner me={artist} />}
            {artist && PAGES_OF_TIMES.includes(page) && <TimeChangesBanner me={artist} />}
            <LoadableView
              value={isHydrated && isLoggedIn ? meQuery : { loading: true }}
              label="studio"
              room="page"
              onRetry={$me.revalidate}
            >
              {(me) => (
                // The boundary around the whole island would replace the navigation too.
                <ErrorBoundary key={me.id}>
                  <Content me={me} productName={productName} />
                </ErrorBoundary>
              )}
            </LoadableView>
          </div>
        </main>
        <Toasts aboveBar />
      </div>
    );
  };
}

/** Keeps the last loaded artist: a new token or a failed reload must not close an open dialog. */
function useLastLoaded(me: FetcherValue<CurrentArtist>): FetcherValue<CurrentArtist> {
  const [lastArtist, setLastArtist] = useState(me.data);
  if (me.data && me.data !== lastArtist) setLastArtist(me.data);
  return lastArtist && !me.data ? { ...me, data: lastArtist } : me;
}

/** Reloads the page when another artist logs in, in another tab: stores hold the data of the first. */
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

/** Redirects to the login. It leads back to this page, unless the artist has logged out here. */
function useLoginRedirect(isHydrated: boolean, isLoggedIn: boolean): void {
  const wasLoggedIn = useRef(false);
  useEffect(() => {
    wasLoggedIn.current ||= isLoggedIn;
    if (!isHydrated || isLoggedIn) return;
    const here = encodeURIComponent(location.pathname + location.search + location.hash);
    location.replace(wasLoggedIn.current && !hasSessionExpired ? '/login' : `/login?next=${here}`);
  }, [isHydrated, isLoggedIn]);
}
