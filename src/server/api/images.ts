import * as z from 'zod/mini';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import { ImageChanges, UploadedImage } from '#contract/image.ts';
import * as operations from '#server/operations/images.ts';
import { ImagesField } from './image_field.ts';
import { MAX_IMAGES } from './multipart.ts';
import { artistRoute, cachedRoute } from './route.ts';

const ImagePath = z.object({ image_id: Id });

const listOwnPortfolio = artistRoute(
  {
    method: 'get',
    path: '/images/portfolio',
    summary: "The artist's own portfolio",
    input: { query: PageQuery },
    status: 200,
    response: listPageOf(UploadedImage),
  },
  ({ context, artist, query }) => operations.listOwnPortfolio(context, artist.id, query),
);

const addPortfolioImages = artistRoute(
  {
    method: 'post',
    path: '/images/portfolio/upload',
    summary: 'Add pictures to the portfolio',
    description: 'All of them or, when one is refused, none. They come at the end of the list.',
    input: { body: z.strictObject({ file: ImagesField }) },
    bodyKind: 'multipart',
    maxImages: MAX_IMAGES,
    status: 201,
    response: listPageOf(UploadedImage),
    budget: 'upload',
  },
  ({ context, artist, body }) => operations.addPortfolioImages(context, artist.id, body.file),
);

const listPortfolio = cachedRoute(
  {
    method: 'get',
    path: '/images/artist-portfolio',
    summary: "An artist's finished work",
    input: { query: z.extend(PageQuery, { username: UsernameParam }) },
    status: 200,
    response: listPageOf(UploadedImage),
    refusals: ['not_found'],
  },
  ({ context, query }) => operations.listPortfolio(context, query.username, query),
);

const getPortfolioImage = artistRoute(
  {
    method: 'get',
    path: '/images/:image_id',
    summary: "A picture of the artist's portfolio",
    input: { path: ImagePath },
    status: 200,
    response: UploadedImage,
    refusals: ['not_found'],
  },
  ({ context, artist, path }) => operations.loadPortfolioImage(context, artist.id, path.image_id),
);

const updatePortfolioImage = artistRoute(
  {
    method: 'patch',
    path: '/images/:image_id',
    summary: "Change a picture of the artist's portfolio",
    description: 'Fields left out keep their value. `position` moves it within the list.',
    input: { path: ImagePath, body: ImageChanges },
    example: { title: 'A swallow on a forearm' },
    status: 200,
    response: UploadedImage,
    refusals: ['not_found'],
  },
  ({ context, artist, path, body }) =>
    operations.updatePortfolioImage(context, artist.id, path.image_id, body),
);

const deletePortfolioImage = artistRoute(
  {
    method: 'delete',
    path: '/images/:image_id',
    summary: "Delete a picture of the artist's portfolio",
    input: { path: ImagePath },
    status: 204,
    refusals: ['not_found'],
  },
  ({ context, artist, path }) => operations.deletePortfolioImage(context, artist.id, path.image_id),
);

export const images = [
  listOwnPortfolio,
  addPortfolioImages,
  listPortfolio,
  getPortfolioImage,
  updatePortfolioImage,
  deletePortfolioImage,
];
