import * as z from 'zod/mini';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import { ImageChanges, UploadedImage } from '#contract/image.ts';
import * as operations from '#server/operations/images.ts';
import { MAX_PICTURES } from './multipart.ts';
import { Pictures } from './picture_field.ts';
import { artistRoute, cachedRoute } from './route.ts';

const ByImage = z.object({ image_id: Id });

const listOwn = artistRoute(
  {
    method: 'get',
    path: '/images/portfolio',
    summary: "The artist's own portfolio",
    takes: { query: PageQuery },
    status: 200,
    answer: listPageOf(UploadedImage),
  },
  ({ context, artist, query }) => operations.listOwnPortfolio(context, artist.id, query),
);

const upload = artistRoute(
  {
    method: 'post',
    path: '/images/portfolio/upload',
    summary: 'Add pictures to the portfolio',
    description: 'All of them or, when one is refused, none. They come at the end of the list.',
    takes: { body: z.strictObject({ file: Pictures }) },
    bodyKind: 'multipart',
    pictures: MAX_PICTURES,
    status: 201,
    answer: listPageOf(UploadedImage),
    budget: 'upload',
  },
  ({ context, artist, body }) => operations.addToPortfolio(context, artist.id, body.file),
);

const listPortfolio = cachedRoute(
  {
    method: 'get',
    path: '/images/artist-portfolio',
    summary: "An artist's finished work",
    takes: { query: z.extend(PageQuery, { username: UsernameParam }) },
    status: 200,
    answer: listPageOf(UploadedImage),
    refusals: ['not_found'],
  },
  ({ context, query }) => operations.listPortfolio(context, query.username, query),
);

const read = artistRoute(
  {
    method: 'get',
    path: '/images/:image_id',
    summary: "A picture of the artist's portfolio",
    takes: { path: ByImage },
    status: 200,
    answer: UploadedImage,
    refusals: ['not_found'],
  },
  ({ context, artist, path }) => operations.readImage(context, artist.id, path.image_id),
);

const change = artistRoute(
  {
    method: 'patch',
    path: '/images/:image_id',
    summary: "Change a picture of the artist's portfolio",
    description: 'Fields left out keep their value. `position` moves it within the list.',
    takes: { path: ByImage, body: ImageChanges },
    example: { title: 'A swallow on a forearm' },
    status: 200,
    answer: UploadedImage,
    refusals: ['not_found'],
  },
  ({ context, artist, path, body }) =>
    operations.changeImage(context, artist.id, path.image_id, body),
);

const remove = artistRoute(
  {
    method: 'delete',
    path: '/images/:image_id',
    summary: "Delete a picture of the artist's portfolio",
    takes: { path: ByImage },
    status: 204,
    refusals: ['not_found'],
  },
  ({ context, artist, path }) => operations.removeImage(context, artist.id, path.image_id),
);

export const images = [listOwn, upload, listPortfolio, read, change, remove];
