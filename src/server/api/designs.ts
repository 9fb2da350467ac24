import * as z from 'zod/mini';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import { Design, DesignChanges, NewDesign } from '#contract/design.ts';
import * as operations from '#server/operations/designs.ts';
import { renderDesignCard } from '#server/operations/share_cards.ts';
import { ImageField } from './image_field.ts';
import { artistRoute, cachedRoute } from './route.ts';
import { JpegBody, ShareImageQuery } from './share_image.ts';

const DesignPath = z.object({ design_id: Id });

/** The status of a design is `available`, `claimed` (taken by a client) or `hidden`. */
export const designs = [
  artistRoute({
    method: 'get',
    path: '/designs',
    summary: "All of the artist's designs, of every status",
    input: { query: PageQuery },
    response: listPageOf(Design),
    handle: ({ context, artist, query }) =>
      operations.listDesigns(context, artist.id, query, { onlyAvailable: false }),
  }),
  artistRoute({
    method: 'post',
    path: '/designs',
    summary: 'Add a design with its picture',
    description: 'The new design is `available`, and the last in the list.',
    input: { body: z.extend(NewDesign, { file: ImageField }) },
    bodyKind: 'multipart',
    status: 201,
    response: Design,
    rateLimit: 'upload',
    handle: ({ context, artist, body }) => operations.createDesign(context, artist.id, body),
  }),
  cachedRoute({
    method: 'get',
    path: '/designs/:username/available',
    summary: "An artist's designs that clients can book",
    input: { path: z.object({ username: UsernameParam }), query: PageQuery },
    response: listPageOf(Design),
    refusals: ['not_found'],
    handle: ({ context, path, query }) =>
      operations.listAvailableDesigns(context, path.username, query),
  }),
  cachedRoute({
    method: 'get',
    path: '/designs/:design_id',
    summary: 'An available or claimed design',
    description: 'An artist with a token can also read their own hidden design.',
    input: { path: DesignPath },
    response: Design,
    refusals: ['not_found'],
    handle: async ({ context, path, findCaller }) =>
      operations.loadDesign(context, path.design_id, (await findCaller())?.id),
  }),
  cachedRoute({
    method: 'get',
    path: '/designs/:design_id/share-image',
    summary: 'The social preview image of an available or claimed design',
    description: '1200 by 630 pixels, showing the design.',
    input: { path: DesignPath, query: ShareImageQuery },
    response: JpegBody,
    responseKind: 'jpeg',
    refusals: ['not_found', 'busy'],
    handle: ({ context, path }) => renderDesignCard(context, path.design_id),
  }),
  artistRoute({
    method: 'patch',
    path: '/designs/:design_id',
    summary: 'Change a design',
    description: 'Omitted fields stay unchanged. `position` moves it within the list.',
    input: { path: DesignPath, body: DesignChanges },
    example: { status: 'hidden' },
    response: Design,
    refusals: ['not_found'],
    handle: ({ context, artist, path, body }) =>
      operations.updateDesign(context, artist.id, path.design_id, body),
  }),
  artistRoute({
    method: 'delete',
    path: '/designs/:design_id',
    summary: 'Delete a design and its picture',
    description: 'Its appointments remain, without a design.',
    input: { path: DesignPath },
    status: 204,
    refusals: ['not_found'],
    handle: ({ context, artist, path }) =>
      operations.deleteDesign(context, artist.id, path.design_id),
  }),
];
