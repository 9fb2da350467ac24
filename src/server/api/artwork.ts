import * as z from 'zod/mini';
import { Id, line, listOf, PageQuery } from '#contract/common.ts';
import { Design } from '#contract/design.ts';
import { Image } from '#contract/image.ts';
import * as operations from '#server/operations/artwork.ts';
import { publicRoute } from './route.ts';

const listAvailableDesigns = publicRoute(
  {
    method: 'get',
    path: '/designs/:username/available',
    summary: 'The designs that clients can book of an artist',
    takes: { path: z.object({ username: line(100) }), query: PageQuery },
    status: 200,
    answer: listOf(Design),
    refusals: ['not_found'],
  },
  ({ parts, path, query }) => operations.listAvailableDesigns(parts, path.username, query),
);

const readDesign = publicRoute(
  {
    method: 'get',
    path: '/designs/:design_id',
    summary: 'An available or claimed design',
    takes: { path: z.object({ design_id: Id }) },
    status: 200,
    answer: Design,
    refusals: ['not_found'],
  },
  ({ parts, path }) => operations.readDesign(parts, path.design_id),
);

const listPortfolio = publicRoute(
  {
    method: 'get',
    path: '/images/artist-portfolio',
    summary: "An artist's finished work",
    takes: { query: z.extend(PageQuery, { username: line(100) }) },
    status: 200,
    answer: listOf(Image),
    refusals: ['not_found'],
  },
  ({ parts, query }) => operations.listPortfolio(parts, query.username, query),
);

export const artwork = [listAvailableDesigns, readDesign, listPortfolio];
