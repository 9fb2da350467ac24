import { html } from 'hono/html';
import type { Design } from '#contract/design.ts';
import { isBookable } from '#domain/studio/design.ts';
import { pictureHtml } from './picture_html.ts';
import { priceAndSizeHtml } from './unit_html.ts';

const SIZES =
  '(width >= 72rem) 16.75rem, (width >= 64rem) calc(25vw - 1.25rem), (width >= 40rem) calc(50vw - 2.625rem), calc(50vw - 1.5rem)';

interface DesignCardOptions {
  /** The path of the artist's page, with a slash at its end. */
  readonly home: string;
  readonly takesBookings: boolean;
  readonly first?: boolean | undefined;
}

/**
 * A design in a grid: the text is below the picture, on a wide screen beside it. A page has up to a hundred, and
 * components of Astro would take several times as long (docs/page_cost.md).
 */
export function designCardHtml(design: Design, { home, takesBookings, first }: DesignCardOptions) {
  const nameId = `design-${design.id}`;
  const claimedId = `${nameId}-claimed`;
  const isClaimed = !isBookable(design);
  const picture = pictureHtml({
    image: design.image,
    sizes: SIZES,
    first,
    class: `aspect-4/5 max-h-120 w-full${isClaimed ? ' opacity-50 [filter:grayscale(1)]' : ''}`,
    fit: 'contain',
  });
  const describedBy = isClaimed && html` aria-describedby="${claimedId}"`;
  // The link covers the card, except for the button.
  const link = html`<a href="${home}designs/${design.id}"${describedBy} class="decoration-main decoration-2 underline-offset-4 hover:underline after:absolute after:inset-0">${design.name}</a>`;
  return html`<article class="card relative flex h-full flex-col overflow-hidden transition-colors hover:border-ink lg:flex-row">${[
    html`<div class="bg-flash lg:w-1/2">${picture}</div>`,
    isClaimed &&
      html`<p id="${claimedId}" class="pointer-events-none absolute top-0 left-0 max-w-full rounded-br-lg bg-on-main px-2.5 py-1 text-sm font-semibold text-flash">Claimed</p>`,
    html`<div class="flex min-w-0 flex-1 flex-col gap-2 p-3 sm:p-5">${[
      html`<h3 id="${nameId}" class="text-lg sm:text-xl">${link}</h3>`,
      priceAndSizeHtml(design, 'text-sm sm:text-base'),
      design.description &&
        html`<p class="line-clamp-2 text-sm whitespace-pre-line text-muted sm:line-clamp-4">${design.description}</p>`,
      takesBookings &&
        !isClaimed &&
        html`<div class="mt-auto pt-2"><a href="${home}scheduling?design=${design.id}" aria-describedby="${nameId}" class="button button-main relative w-full">Book Now!</a></div>`,
    ]}</div>`,
  ]}</article>`;
}
