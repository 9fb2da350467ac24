import type { Artist } from '#contract/artist.ts';
import type { Image } from '#contract/image.ts';

/** The picture that is shown where a page is shared. */
export interface SharedImage {
  readonly url: string;
  /** What one sees on it. */
  readonly alt: string;
  /** Of the file behind `url`, in pixels; left out when they are not known. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** A picture of a design or of the portfolio. */
export function sharedPicture(image: Image): SharedImage {
  const { file_url, title, width, height } = image;
  return { url: file_url, alt: title, size: { width, height } };
}

/** The artist's own picture; null when there is none. */
export function sharedAvatar({ avatar_url, full_name }: Artist): SharedImage | null {
  return avatar_url === null ? null : { url: avatar_url, alt: `The picture of ${full_name}` };
}
