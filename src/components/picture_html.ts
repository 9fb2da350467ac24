import { html } from 'hono/html';
import type { UploadedImage } from '#contract/image.ts';

/** How an uploaded picture is shown. */
export interface PictureOptions {
  readonly image: UploadedImage;
  /** The `sizes` attribute: how wide the picture is shown. */
  readonly sizes: string;
  /** Whether it is loaded at once, before other pictures. */
  readonly first?: boolean | undefined;
  /** The classes of the box around the picture; they set its size. */
  readonly class?: string | undefined;
  readonly fit: 'contain' | 'cover';
}

/** An uploaded picture in the best format and width, over a few enlarged pixels until it loads. */
export function pictureHtml({
  image,
  sizes,
  first = false,
  class: className,
  fit,
}: PictureOptions) {
  const { width, height, placeholder } = image;
  const slice = fit === 'cover' && html` preserveAspectRatio="xMidYMid slice"`;
  const loading = first
    ? html`loading="eager" fetchpriority="high" decoding="auto"`
    : html`loading="lazy" decoding="async"`;
  return html`<span class="relative block overflow-hidden ${className}">${[
    // The SVG stretches the placeholder to the exact proportions of the picture, which covers it.
    placeholder &&
      html`<svg aria-hidden="true" viewBox="0 0 ${width} ${height}"${slice} class="absolute inset-0 size-full"><image href="${placeholder}" width="100%" height="100%" preserveAspectRatio="none"></image></svg>`,
    html`<picture class="contents">${[
      image.sources.map(
        ({ type, srcset }) => html`<source type="${type}" srcset="${srcset}" sizes="${sizes}">`,
      ),
      html`<img src="${image.file_url}" alt="${image.title}" width="${width}" height="${height}" ${loading} class="${fit === 'cover' ? 'relative size-full object-cover' : 'relative size-full object-contain'}">`,
    ]}</picture>`,
  ]}</span>`;
}
