import type { Listed } from '#contract/common.ts';
import type { Design, DesignChanges } from '#contract/design.ts';
import type { Http, PageParams } from './http.ts';
import { type Upload, uploadOptions } from './upload.ts';

/** The designs that clients can book of an artist, in the artist's order. */
export function listAvailableDesigns(
  http: Http,
  username: string,
  page: PageParams = {},
): Promise<Listed<Design>> {
  return http
    .get(`designs/${encodeURIComponent(username)}/available`, { searchParams: page })
    .json();
}

/** All of the artist's own designs, whatever their status. */
export function listOwnDesigns(http: Http, page: PageParams = {}): Promise<Listed<Design>> {
  return http.get('designs/', { searchParams: page }).json();
}

/**
 * Adds a design with its picture.
 * @param onProgress hears the share that has been sent, 0 to 1
 */
export function createDesign(
  http: Http,
  { name, description, file }: { name: string; description: string; file: Blob },
  upload: Upload = {},
): Promise<Design> {
  const body = new FormData();
  body.set('name', name);
  body.set('description', description);
  body.set('file', file);
  return http.post('designs/', { body, ...uploadOptions(upload) }).json();
}

/** Fields left out keep their value; `position` moves it to that place in the list, from 0. */
export function changeDesign(http: Http, id: string, changes: DesignChanges): Promise<Design> {
  return http.patch(`designs/${encodeURIComponent(id)}`, { json: changes }).json();
}

export async function deleteDesign(http: Http, id: string): Promise<void> {
  await http.delete(`designs/${encodeURIComponent(id)}`, { keepalive: true });
}
