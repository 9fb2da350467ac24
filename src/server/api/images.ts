import * as z from 'zod/mini';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import * as endpoints from '#contract/endpoints.ts';
import { ImageChanges, UploadedImage } from '#contract/image.ts';
import * as operations from '#server/operations/studio/images.ts';
import { ImagesField } from './image_field.ts';
import { anyone, artists, route } from './route.ts';

const ImagePath = z.object({ image_id: Id });

export const images = [
  route(endpoints.listOwnPortfolio, artists, {
    summary: "The logged-in artist's portfolio: pictures of finished tattoos",
    input: { query: PageQuery },
    response: listPageOf(UploadedImage),
    handle: ({ context, artist, query }) => operations.listOwnPortfolio(context, artist.id, query),
  }),
  route(endpoints.uploadPortfolio, artists, {
    summary: 'Add pictures to the portfolio',
    description:
      'The pictures are added at the end of the list and returned. When one is refused, none is added.',
    input: { body: z.strictObject({ file: ImagesField }) },
    imageCount: 'several',
    status: 201,
    response: listPageOf(UploadedImage),
    refusals: ['too_many_portfolio_pictures'],
    rateLimit: 'upload',
    handle: ({ context, artist, body }) =>
      operations.addPortfolioImages(context, artist.id, body.file),
  }),
  route(endpoints.listPortfolio, anyone, {
    cached: true,
    summary: "An artist's portfolio, for visitors",
    input: { query: z.extend(PageQuery, { username: UsernameParam }) },
    response: listPageOf(UploadedImage),
    refusals: ['not_found'],
    handle: ({ context, query }) => operations.listPortfolio(context, query.username, query),
  }),
  route(endpoints.fetchImage, artists, {
    summary: "A picture of the artist's portfolio",
    input: { path: ImagePath },
    response: UploadedImage,
    handle: ({ context, artist, path }) =>
      operations.loadPortfolioImage(context, artist.id, path.image_id),
  }),
  route(endpoints.changeImage, artists, {
    summary: "Change a picture of the artist's portfolio",
    description: 'Omitted fields stay unchanged. `position` moves it within the list.',
    input: { path: ImagePath, body: ImageChanges },
    example: { title: 'A swallow on a forearm' },
    response: UploadedImage,
    handle: ({ context, artist, path, body }) =>
      operations.updatePortfolioImage(context, artist.id, path.image_id, body),
  }),
  route(endpoints.deleteImage, artists, {
    summary: "Delete a picture of the artist's portfolio",
    input: { path: ImagePath },
    handle: ({ context, artist, path }) =>
      operations.deletePortfolioImage(context, artist.id, path.image_id),
  }),
];
