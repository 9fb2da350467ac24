import type { CurrentArtist } from '#contract/artist.ts';
import { logOut } from '#stores/session.ts';
import { sendDeletionsNow } from '#stores/studio/deferred_deletion.ts';
import { ownPagePath } from './appointments/labels.ts';
import { Icon } from './Icon.tsx';
import { STUDIO_PAGES, type StudioPage, type StudioPageId } from './studio_pages.ts';

/** The pages in a phone's bottom bar; the others are in its "More" sheet. */
const BAR_PAGES: readonly StudioPageId[] = ['home', 'appointments', 'calendar', 'designs'];

interface NavigationProps {
  productName: string;
  currentPage: StudioPageId;
  /** Undefined until it is loaded. */
  artist: CurrentArtist | undefined;
}

/** A sidebar on a wide screen; on a phone a bar at the bottom, and a sheet with the other pages. */
export function StudioNavigation({ productName, currentPage, artist }: NavigationProps) {
  const isSuperuser = artist?.is_superuser ?? false;
  // Superusers have no public page.
  const publicPageHref = artist && !isSuperuser ? ownPagePath(artist) : undefined;
  // No artist of an installation without payments has a subscription.
  const hasBilling = artist !== undefined && artist.subscription !== null;
  const pages = STUDIO_PAGES.filter(
    ({ id }) => (id !== 'billing' || hasBilling) && (id !== 'admin' || isSuperuser),
  );
  const barPages = pages.filter(({ id }) => BAR_PAGES.includes(id));
  const sheetPages = pages.filter(({ id }) => !BAR_PAGES.includes(id));
  const accountLinks = (
    <>
      {publicPageHref && (
        <li>
          <a href={publicPageHref} className={LINK_CLASS}>
            <Icon name="externalLink" />
            <span>View your page</span>
          </a>
        </li>
      )}
      <li>
        <button
          type="button"
          className={`${LINK_CLASS} cursor-pointer`}
          onClick={() => sendDeletionsNow().finally(logOut)}
        >
          <Icon name="logOut" />
          <span>Log out</span>
        </button>
      </li>
    </>
  );
  return (
    <>
      <header className="flex flex-wrap items-center justify-between gap-2 px-4 py-3 sm:px-6 lg:hidden">
        <Wordmark productName={productName} />
        {publicPageHref && (
          <a
            href={publicPageHref}
            className="inline-flex min-h-11 items-center gap-2 font-semibold max-[23rem]:text-sm"
          >
            <span>View your page</span>
            <Icon name="externalLink" className="size-5 max-[23rem]:hidden" />
          </a>
        )}
      </header>
      <nav
        aria-label="Studio"
        className="sticky top-0 flex h-dvh w-60 shrink-0 flex-col gap-6 overflow-y-auto border-r border-line bg-card px-4 py-5 max-lg:hidden"
      >
        <div className="px-2">
          <Wordmark productName={productName} />
        </div>
        <ul className="grid gap-1">
          <PageLinks pages={pages} current={currentPage} />
        </ul>
        <ul className="mt-auto grid gap-1 border-t border-line pt-4">{accountLinks}</ul>
      </nav>
      <nav
        aria-label="Studio"
        className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-card pb-[env(safe-area-inset-bottom)] lg:hidden"
      >
        <ul className="mx-auto grid max-w-lg grid-cols-5">
          {barPages.map(({ id, name, href }) => (
            <li key={id}>
              <a
                href={href}
                aria-current={id === currentPage ? 'page' : undefined}
                className={TAB_CLASS}
              >
                <Icon name={id} className="size-6" />
                {/* "Appointments" is too wide for a tab. */}
                <span>{id === 'appointments' ? 'Bookings' : name}</span>
              </a>
            </li>
          ))}
          <li>
            <button
              type="button"
              popoverTarget="studio-more"
              className={`${TAB_CLASS} w-full cursor-pointer`}
              data-current={BAR_PAGES.includes(currentPage) ? undefined : true}
            >
              <Icon name="more" className="size-6" />
              <span>More</span>
            </button>
          </li>
        </ul>
      </nav>
      <nav
        id="studio-more"
        popover="auto"
        aria-label="More of the studio"
        className="fixed inset-x-0 top-auto bottom-0 m-0 w-full max-w-none rounded-t-2xl border-t border-line bg-card p-4 pb-8 text-ink backdrop:bg-[#171412]/60"
      >
        <ul className="mx-auto grid max-w-lg gap-1">
          <PageLinks pages={sheetPages} current={currentPage} />
          {accountLinks}
        </ul>
      </nav>
    </>
  );
}

const TAB_CLASS =
  'flex min-h-14 flex-col items-center justify-center gap-0.5 border-t-3 border-transparent py-1.5 text-[min(0.75rem,3.2vw)] font-semibold text-muted aria-[current]:border-main aria-[current]:text-ink data-current:border-main data-current:text-ink';
const LINK_CLASS =
  'flex min-h-11 w-full items-center gap-3 rounded-lg px-3 py-2 font-semibold text-muted hover:bg-paper hover:text-ink aria-[current]:bg-main aria-[current]:text-on-main';

function PageLinks({ pages, current }: { pages: readonly StudioPage[]; current: StudioPageId }) {
  return pages.map(({ id, name, href }) => (
    <li key={id}>
      <a href={href} aria-current={id === current ? 'page' : undefined} className={LINK_CLASS}>
        <Icon name={id} />
        <span>{name}</span>
      </a>
    </li>
  ));
}

function Wordmark({ productName }: { productName: string }) {
  return (
    <a href="/" className="inline-flex min-h-11 items-center gap-2.5 font-serif text-xl">
      <img src="/favicon.svg" alt="" width="32" height="32" className="size-8" />
      <span>{productName}</span>
    </a>
  );
}
