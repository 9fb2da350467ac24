import type { ListPage } from '#contract/common.ts';
import type { ImageChanges, UploadedImage } from '#contract/image.ts';
import type { PageParams, Transport } from './http.ts';
import { toKyOptions, type UploadOptions } from './upload.ts';

/** An artist's public portfolio, in the artist's order. */
export function listPortfolio(http: Transport, username: string, page: PageParams = {}) {
  const searchParams = { ...page, username };
  return http.get('images/artist-portfolio', { searchParams }).json<ListPage<UploadedImage>>();
}

/** The portfolio of the signed-in artist, in their order. */
export function listOwnPortfolio(http: Transport, page: PageParams = {}) {
  return http.get('images/portfolio', { searchParams: page }).json<ListPage<UploadedImage>>();
}

/** Adds pictures to the portfolio and returns them in the order of `files`. */
export function uploadPortfolio(
  http: Transport,
  files: readonly File[],
  upload: UploadOptions = {},
) {
  const body = new FormData();
  for (const file of files) body.append('file', file);
  const options = { body, ...toKyOptions(upload) };
  return http.post('images/portfolio/upload', options).json<ListPage<UploadedImage>>();
}

/** Fields left out keep their value; `position` is the new index in the list. */
export function changeImage(http: Transport, id: string, json: ImageChanges) {
  return http.patch(`images/${encodeURIComponent(id)}`, { json }).json<UploadedImage>();
}

/** With `keepalive`, the request completes even if the browser leaves the page. */
export async function deleteImage(http: Transport, id: string): Promise<void> {
  await http.delete(`images/${encodeURIComponent(id)}`, { keepalive: true });
}
