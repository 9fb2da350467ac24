import type { ListPage } from '#contract/common.ts';
import type { Design, DesignChanges } from '#contract/design.ts';
import type { PageParams, Transport } from './http.ts';
import { toKyOptions, type UploadOptions } from './upload.ts';

/** The designs of an artist that clients can request, in the artist's order. */
export function listAvailableDesigns(http: Transport, username: string, page: PageParams = {}) {
  const path = `designs/${encodeURIComponent(username)}/available`;
  return http.get(path, { searchParams: page }).json<ListPage<Design>>();
}

/** All designs of the signed-in artist, of every status. */
export function listOwnDesigns(http: Transport, page: PageParams = {}) {
  return http.get('designs/', { searchParams: page }).json<ListPage<Design>>();
}

export function createDesign(
  http: Transport,
  { name, description, file }: { name: string; description: string; file: Blob },
  upload: UploadOptions = {},
) {
  const body = new FormData();
  body.set('name', name);
  body.set('description', description);
  body.set('file', file);
  return http.post('designs/', { body, ...toKyOptions(upload) }).json<Design>();
}

/** Fields left out keep their value; `position` is the new index in the list. */
export function changeDesign(http: Transport, id: string, json: DesignChanges) {
  return http.patch(`designs/${encodeURIComponent(id)}`, { json }).json<Design>();
}

/** With `keepalive`, the request completes even if the browser leaves the page. */
export async function deleteDesign(http: Transport, id: string): Promise<void> {
  await http.delete(`designs/${encodeURIComponent(id)}`, { keepalive: true });
}
