// The services and designs from which the artist chooses in a form.
import { listOwnDesigns, listOwnServices } from '#contract/endpoints.ts';
import type { Service } from '#contract/service.ts';
import { MAX_PAGE_SIZE } from '#domain/requests/list_limits.ts';
import { callAsArtist } from '../session.ts';
import { createQuery, fetchAllPages } from './queries.ts';

/** At most `MAX_PAGE_SIZE` services, in the order that clients see. */
export const $allServices = createQuery<readonly Service[]>(['services', 'all'], async () => {
  const { data } = await callAsArtist(listOwnServices, { query: { limit: MAX_PAGE_SIZE } });
  return data;
});

/** All designs, in the order that clients see. */
export const $allDesigns = createQuery(['designs', 'all'], () =>
  fetchAllPages((page) => callAsArtist(listOwnDesigns, { query: page })),
);
