import * as z from 'zod/mini';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import { Design, DesignChanges, NewDesign } from '#contract/design.ts';
import * as operations from '#server/operations/designs.ts';
import { drawDesignCard } from '#server/operations/share_cards.ts';
import { Picture } from './picture_field.ts';
import { artistRoute, cachedRoute } from './route.ts';
import { Jpeg, ShareImageQuery } from './share_image.ts';

const ByDesign = z.object({ design_id: Id });

const listOwn = artistRoute(
  {
    method: 'get',
    path: '/designs',
    summary: "All of the artist's designs, whatever their status",
    takes: { query: PageQuery },
    status: 200,
    answer: listPageOf(Design),
  },
  ({ context, artist, query }) => operations.listOwnDesigns(context, artist.id, query),
);

const create = artistRoute(
  {
    method: 'post',
    path: '/designs',
    summary: 'Add a design with its picture',
    description: 'It is available at once, at the end of the list.',
    takes: { body: z.extend(NewDesign, { file: Picture }) },
    bodyKind: 'multipart',
    status: 201,
    answer: Design,
    budget: 'upload',
  },
  ({ context, artist, body }) => operations.createDesign(context, artist.id, body),
);

const listAvailable = cachedRoute(
  {
    method: 'get',
    path: '/designs/:username/available',
    summary: 'The designs that clients can book of an artist',
    takes: { path: z.object({ username: UsernameParam }), query: PageQuery },
    status: 200,
    answer: listPageOf(Design),
    refusals: ['not_found'],
  },
  ({ context, path, query }) => operations.listAvailableDesigns(context, path.username, query),
);

const read = cachedRoute(
  {
    method: 'get',
    path: '/designs/:design_id',
    summary: 'An available or claimed design',
    description: 'With their token, artists also read a hidden one of their own.',
    takes: { path: ByDesign },
    status: 200,
    answer: Design,
    refusals: ['not_found'],
  },
  async ({ context, path, whoAsks }) =>
    operations.readDesign(context, path.design_id, (await whoAsks())?.id),
);

const readShareImage = cachedRoute(
  {
    method: 'get',
    path: '/designs/:design_id/share-image',
    summary: 'The picture that is shown where an available or claimed design is shared',
    description: '1200 by 630 pixels, drawn of the design.',
    takes: { path: ByDesign, query: ShareImageQuery },
    status: 200,
    answer: Jpeg,
    answerKind: 'jpeg',
    refusals: ['not_found', 'busy'],
  },
  ({ context, path }) => drawDesignCard(context, path.design_id),
);

const change = artistRoute(
  {
    method: 'patch',
    path: '/designs/:design_id',
    summary: 'Change a design',
    description: 'Fields left out keep their value. `position` moves it within the list.',
    takes: { path: ByDesign, body: DesignChanges },
    example: { status: 'hidden' },
    status: 200,
    answer: Design,
    refusals: ['not_found'],
  },
  ({ context, artist, path, body }) =>
    operations.changeDesign(context, artist.id, path.design_id, body),
);

const remove = artistRoute(
  {
    method: 'delete',
    path: '/designs/:design_id',
    summary: 'Delete a design and its picture',
    description: 'Appointments that name it live on without it.',
    takes: { path: ByDesign },
    status: 204,
    refusals: ['not_found'],
  },
  ({ context, artist, path }) => operations.removeDesign(context, artist.id, path.design_id),
);

export const designs = [listOwn, create, listAvailable, read, readShareImage, change, remove];
