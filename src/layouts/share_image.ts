import type { Artist } from '#contract/artist.ts';
import type { Design } from '#contract/design.ts';
import type { UploadedImage } from '#contract/image.ts';
import { MAX_SHARE_CARD_PICTURES, SHARE_CARD_SIZE } from '#domain/studio/artwork.ts';
import type { SiteSettings } from '../site_settings.ts';

/** The preview of a shared page on social networks: a JPEG that the server draws. */
export interface ShareImage {
  /** Absolute, as social networks require. */
  readonly url: string;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
}

/** The preview of an artist's page. Its URL changes with the artist and the pictures: social networks load it again. */
export function artistShareImage(
  artist: Artist,
  pictures: readonly UploadedImage[],
  settings: SiteSettings,
): ShareImage {
  const shown = pictures.slice(0, MAX_SHARE_CARD_PICTURES).map(({ file_url }) => file_url);
  const path = `users/artist/${artist.username}`;
  return {
    url: shareImageUrl(path, artist, [artist.avatar_url, ...shown], settings),
    alt: `Tattoos by ${artist.full_name} at ${artist.studio.name}, ${artist.studio.city}`,
    ...SHARE_CARD_SIZE,
  };
}

/** The preview of a design's page. */
export function designShareImage(
  artist: Artist,
  design: Design,
  settings: SiteSettings,
): ShareImage {
  const contents = [design.name, design.image.file_url];
  return {
    url: shareImageUrl(`designs/${design.id}`, artist, contents, settings),
    alt: `“${design.name}”, a tattoo design by ${artist.full_name}`,
    ...SHARE_CARD_SIZE,
  };
}

/** @param contents everything that the server draws besides the names of the product, the artist and the studio */
function shareImageUrl(
  path: string,
  { full_name, studio }: Artist,
  contents: readonly (string | null)[],
  { productName, publicApiUrl, siteUrl }: SiteSettings,
): string {
  const names = [productName, full_name, studio.name, studio.city, studio.state];
  const version = fnv1a(JSON.stringify([...names, ...contents]));
  return `${publicApiUrl || siteUrl}/api/v1/${path}/share-image?v=${version}`;
}

/** The FNV-1a hash in 32 bits: two versions of one picture rarely share it. */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(36);
}
