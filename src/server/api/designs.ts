import * as z from 'zod/mini';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import { Design, DesignChanges, NewDesign } from '#contract/design.ts';
import * as operations from '#server/operations/designs.ts';
import { drawDesignCard } from '#server/operations/share_cards.ts';
import { ImageField } from './image_field.ts';
import { artistRoute, cachedRoute } from './route.ts';
import { JpegBody, ShareImageQuery } from './share_image.ts';

const DesignPath = z.object({ design_id: Id });

const listOwnDesigns = artistRoute(
  {
    method: 'get',
    path: '/designs',
    summary: "All of the artist's designs, whatever their status",
    input: { query: PageQuery },
    status: 200,
    response: listPageOf(Design),
  },
  ({ context, artist, query }) => operations.listOwnDesigns(context, artist.id, query),
);

const createDesign = artistRoute(
  {
    method: 'post',
    path: '/designs',
    summary: 'Add a design with its picture',
    description: 'It is available at once, at the end of the list.',
    input: { body: z.extend(NewDesign, { file: ImageField }) },
    bodyKind: 'multipart',
    status: 201,
    response: Design,
    budget: 'upload',
  },
  ({ context, artist, body }) => operations.createDesign(context, artist.id, body),
);

const listAvailableDesigns = cachedRoute(
  {
    method: 'get',
    path: '/designs/:username/available',
    summary: 'The designs that clients can book of an artist',
    input: { path: z.object({ username: UsernameParam }), query: PageQuery },
    status: 200,
    response: listPageOf(Design),
    refusals: ['not_found'],
  },
  ({ context, path, query }) => operations.listAvailableDesigns(context, path.username, query),
);

const getDesign = cachedRoute(
  {
    method: 'get',
    path: '/designs/:design_id',
    summary: 'An available or claimed design',
    description: 'With their token, artists also read a hidden one of their own.',
    input: { path: DesignPath },
    status: 200,
    response: Design,
    refusals: ['not_found'],
  },
  async ({ context, path, whoAsks }) =>
    operations.loadDesign(context, path.design_id, (await whoAsks())?.id),
);

const getShareImage = cachedRoute(
  {
    method: 'get',
    path: '/designs/:design_id/share-image',
    summary: 'The picture that is shown where an available or claimed design is shared',
    description: '1200 by 630 pixels, drawn of the design.',
    input: { path: DesignPath, query: ShareImageQuery },
    status: 200,
    response: JpegBody,
    responseKind: 'jpeg',
    refusals: ['not_found', 'busy'],
  },
  ({ context, path }) => drawDesignCard(context, path.design_id),
);

const updateDesign = artistRoute(
  {
    method: 'patch',
    path: '/designs/:design_id',
    summary: 'Change a design',
    description: 'Fields left out keep their value. `position` moves it within the list.',
    input: { path: DesignPath, body: DesignChanges },
    example: { status: 'hidden' },
    status: 200,
    response: Design,
    refusals: ['not_found'],
  },
  ({ context, artist, path, body }) =>
    operations.updateDesign(context, artist.id, path.design_id, body),
);

const deleteDesign = artistRoute(
  {
    method: 'delete',
    path: '/designs/:design_id',
    summary: 'Delete a design and its picture',
    description: 'Appointments that name it live on without it.',
    input: { path: DesignPath },
    status: 204,
    refusals: ['not_found'],
  },
  ({ context, artist, path }) => operations.deleteDesign(context, artist.id, path.design_id),
);

export const designs = [
  listOwnDesigns,
  createDesign,
  listAvailableDesigns,
  getDesign,
  getShareImage,
  updateDesign,
  deleteDesign,
];
