import type { Listed } from '#contract/common.ts';
import type { Image, ImageChanges } from '#contract/image.ts';
import type { Http, PageParams } from './http.ts';
import { type Upload, uploadOptions } from './upload.ts';

/** An artist's portfolio, in the artist's order. */
export function listPortfolio(
  http: Http,
  username: string,
  page: PageParams = {},
): Promise<Listed<Image>> {
  return http.get('images/artist-portfolio', { searchParams: { ...page, username } }).json();
}

/** The artist's own portfolio, in their order. */
export function listOwnPortfolio(http: Http, page: PageParams = {}): Promise<Listed<Image>> {
  return http.get('images/portfolio', { searchParams: page }).json();
}

/** Adds pictures to the portfolio; answers them in the order they were sent. */
export function uploadPortfolio(
  http: Http,
  files: readonly File[],
  upload: Upload = {},
): Promise<Listed<Image>> {
  const body = new FormData();
  for (const file of files) body.append('file', file);
  return http.post('images/portfolio/upload', { body, ...uploadOptions(upload) }).json();
}

/** Fields left out keep their value; `position` moves it to that place in the list, from 0. */
export function changeImage(http: Http, id: string, changes: ImageChanges): Promise<Image> {
  return http.patch(`images/${encodeURIComponent(id)}`, { json: changes }).json();
}

export async function deleteImage(http: Http, id: string): Promise<void> {
  await http.delete(`images/${encodeURIComponent(id)}`, { keepalive: true });
}
