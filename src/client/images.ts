import type { ListPage } from '#contract/common.ts';
import type { ImageChanges, UploadedImage } from '#contract/image.ts';
import type { PageParams, Transport } from './http.ts';
import { toKyOptions, type UploadOptions } from './upload.ts';

/** An artist's portfolio, in the artist's order. */
export function listPortfolio(
  http: Transport,
  username: string,
  page: PageParams = {},
): Promise<ListPage<UploadedImage>> {
  return http.get('images/artist-portfolio', { searchParams: { ...page, username } }).json();
}

/** The artist's own portfolio, in their order. */
export function listOwnPortfolio(
  http: Transport,
  page: PageParams = {},
): Promise<ListPage<UploadedImage>> {
  return http.get('images/portfolio', { searchParams: page }).json();
}

/** Adds pictures to the portfolio; answers them in the order they were sent. */
export function uploadPortfolio(
  http: Transport,
  files: readonly File[],
  upload: UploadOptions = {},
): Promise<ListPage<UploadedImage>> {
  const body = new FormData();
  for (const file of files) body.append('file', file);
  return http.post('images/portfolio/upload', { body, ...toKyOptions(upload) }).json();
}

/** Fields left out keep their value; `position` moves it to that place in the list, from 0. */
export function changeImage(
  http: Transport,
  id: string,
  changes: ImageChanges,
): Promise<UploadedImage> {
  return http.patch(`images/${encodeURIComponent(id)}`, { json: changes }).json();
}

export async function deleteImage(http: Transport, id: string): Promise<void> {
  await http.delete(`images/${encodeURIComponent(id)}`, { keepalive: true });
}
