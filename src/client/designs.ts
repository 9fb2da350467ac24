import type { Listed } from '#contract/common.ts';
import type { Design } from '#contract/design.ts';
import type { Http, PageParams } from './http.ts';

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
