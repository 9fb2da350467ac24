import type { Artist } from '#contract/artist.ts';
import type { Design } from '#contract/design.ts';
import type { UploadedImage } from '#contract/image.ts';
import { CARD_SIZE, MAX_CARD_PICTURES } from '#domain/share_card.ts';
import type { SiteSettings } from '../site_settings.ts';

/** The picture that is shown where a page is shared: a JPEG that the server draws. */
export interface ShareImage {
  /** In full, as social networks ask for it. */
  readonly url: string;
  /** What one sees on it. */
  readonly alt: string;
  readonly width: number;
  readonly height: number;
}

/**
 * The artist's card.
 * @param pictures of the page that shares it; a card that was seen before is fetched anew when
 * these, or the artist, have changed
 */
export function artistShareImage(
  artist: Artist,
  pictures: readonly UploadedImage[],
  settings: SiteSettings,
): ShareImage {
  const shown = pictures.slice(0, MAX_CARD_PICTURES).map(({ file_url }) => file_url);
  return {
    url: shareImageUrl(
      `users/artist/${artist.username}`,
      [...cardTexts(artist), artist.avatar_url, ...shown],
      settings,
    ),
    alt: `Tattoos by ${artist.full_name} at ${artist.studio.name}, ${artist.studio.city}`,
    ...CARD_SIZE,
  };
}

/** The card of one of the artist's designs. */
export function designShareImage(
  artist: Artist,
  design: Design,
  settings: SiteSettings,
): ShareImage {
  return {
    url: shareImageUrl(
      `designs/${design.id}`,
      [...cardTexts(artist), design.name, design.image.file_url],
      settings,
    ),
    alt: `“${design.name}”, a tattoo design by ${artist.full_name}`,
    ...CARD_SIZE,
  };
}

function cardTexts({ full_name, studio }: Artist): string[] {
  return [full_name, studio.name, studio.city, studio.state];
}

function shareImageUrl(
  whose: string,
  shows: readonly (string | null)[],
  { productName, publicApiUrl, siteUrl }: SiteSettings,
): string {
  const version = fnv1a(JSON.stringify([productName, ...shows]));
  return `${publicApiUrl || siteUrl}/api/v1/${whose}/share-image?v=${version}`;
}

/** FNV-1a in 32 bits: enough to tell one state of a card from the next. */
function fnv1a(text: string): string {
  let sum = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) sum = Math.imul(sum ^ byte, 0x01000193);
  return (sum >>> 0).toString(36);
}
