import type { ListPage } from '#contract/common.ts';
import type { Design, DesignChanges } from '#contract/design.ts';
import type { PageParams, Transport } from './http.ts';
import { toKyOptions, type UploadOptions } from './upload.ts';

/** The designs that clients can book of an artist, in the artist's order. */
export function listAvailableDesigns(
  http: Transport,
  username: string,
  page: PageParams = {},
): Promise<ListPage<Design>> {
  return http
    .get(`designs/${encodeURIComponent(username)}/available`, { searchParams: page })
    .json();
}

/** All of the artist's own designs, whatever their status. */
export function listOwnDesigns(http: Transport, page: PageParams = {}): Promise<ListPage<Design>> {
  return http.get('designs/', { searchParams: page }).json();
}

/**
 * Adds a design with its picture.
 * @param onProgress hears the share that has been sent, 0 to 1
 */
export function createDesign(
  http: Transport,
  { name, description, file }: { name: string; description: string; file: Blob },
  upload: UploadOptions = {},
): Promise<Design> {
  const body = new FormData();
  body.set('name', name);
  body.set('description', description);
  body.set('file', file);
  return http.post('designs/', { body, ...toKyOptions(upload) }).json();
}

/** Fields left out keep their value; `position` moves it to that place in the list, from 0. */
export function changeDesign(http: Transport, id: string, changes: DesignChanges): Promise<Design> {
  return http.patch(`designs/${encodeURIComponent(id)}`, { json: changes }).json();
}

export async function deleteDesign(http: Transport, id: string): Promise<void> {
  await http.delete(`designs/${encodeURIComponent(id)}`, { keepalive: true });
}
