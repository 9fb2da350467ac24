import { listOwnDesigns } from '#contract/endpoints.ts';
import { callAsArtist } from '../session.ts';
import { fetchAllPages } from './all_pages.ts';
import { createQuery } from './queries.ts';

/** For inputs where the artist chooses a design: all of them, in the order that clients see. */
export const $allDesigns = createQuery(['designs', 'all'], () =>
  fetchAllPages((page) => callAsArtist(listOwnDesigns, { query: page })),
);
