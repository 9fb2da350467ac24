import type { Listed } from '#contract/common.ts';
import type { Image } from '#contract/image.ts';
import type { Http, PageParams } from './http.ts';

/** An artist's portfolio, in the artist's order. */
export function listPortfolio(
  http: Http,
  username: string,
  page: PageParams = {},
): Promise<Listed<Image>> {
  return http.get('images/artist-portfolio', { searchParams: { ...page, username } }).json();
}
