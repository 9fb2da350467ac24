import * as z from 'zod/mini';
import { Availability, MonthQuery } from '#contract/availability.ts';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import { Design, DesignChanges, NewDesign } from '#contract/design.ts';
import * as endpoints from '#contract/endpoints.ts';
import { loadDesignAvailability } from '#server/operations/booking/availability.ts';
import * as operations from '#server/operations/catalogue/designs.ts';
import { renderDesignCard } from '#server/operations/studio/share_cards.ts';
import { ImageField } from './image_field.ts';
import { anyone, artists, route } from './route.ts';
import { JpegBody, ShareImageQuery } from './share_image.ts';

const DesignPath = z.object({ design_id: Id });

/** The status of a design is `available`, `claimed` (taken by a client), `hidden` or `draft`. */
export const designs = [
  route(endpoints.listOwnDesigns, artists, {
    summary: "All of the artist's designs, of every status",
    input: { query: PageQuery },
    response: listPageOf(Design),
    handle: ({ context, artist, query }) =>
      operations.listDesigns(context, artist.id, query, 'all'),
  }),
  route(endpoints.createDesign, artists, {
    summary: 'Add a design with its picture',
    description: 'The new design is `available` unless it is a `draft`, and the last in the list.',
    input: { body: z.extend(NewDesign, { file: ImageField }) },
    status: 201,
    response: Design,
    refusals: ['too_many_designs'],
    rateLimit: 'upload',
    handle: ({ context, artist, body }) => operations.createDesign(context, artist.id, body),
  }),
  route(endpoints.listAvailableDesigns, anyone, {
    cached: true,
    summary: "An artist's designs that clients can book",
    input: { path: z.object({ username: UsernameParam }), query: PageQuery },
    response: listPageOf(Design),
    handle: ({ context, path, query }) =>
      operations.listAvailableDesigns(context, path.username, query),
  }),
  route(endpoints.fetchDesign, anyone, {
    cached: true,
    summary: 'An available or claimed design',
    description: 'An artist with a token can also read their own hidden design.',
    input: { path: DesignPath },
    response: Design,
    handle: async ({ context, path, findCaller }) =>
      operations.loadDesign(context, path.design_id, (await findCaller())?.id),
  }),
  route(endpoints.fetchDesignAvailability, anyone, {
    cached: true,
    summary: "The free slots for a design in a month, in the studio's time zone",
    description:
      'Only of a design with a `duration`; one with a service has the slots of that. Also while the books are closed: clients move the appointments that they have.',
    input: { path: DesignPath, query: MonthQuery },
    response: Availability,
    handle: ({ context, path, query, now }) =>
      loadDesignAvailability(context, path.design_id, query, now),
  }),
  route(endpoints.fetchDesignShareImage, anyone, {
    cached: true,
    summary: 'The social preview image of an available or claimed design',
    description: '1200 by 630 pixels, showing the design.',
    input: { path: DesignPath, query: ShareImageQuery },
    response: JpegBody,
    refusals: ['busy'],
    handle: ({ context, path }) => renderDesignCard(context, path.design_id),
  }),
  route(endpoints.changeDesign, artists, {
    summary: 'Change a design',
    description:
      'Omitted fields stay unchanged. `position` moves it within the list. A design has a `duration` or a `service_id`: the one that is set removes the other.',
    input: { path: DesignPath, body: DesignChanges },
    example: { status: 'hidden', price: { kind: 'from', amount: 15000 }, editions: 1 },
    response: Design,
    handle: ({ context, artist, path, body }) =>
      operations.updateDesign(context, artist.id, path.design_id, body),
  }),
  route(endpoints.deleteDesign, artists, {
    summary: 'Delete a design and its picture',
    description: 'Its appointments remain, without a design.',
    input: { path: DesignPath },
    handle: ({ context, artist, path }) =>
      operations.deleteDesign(context, artist.id, path.design_id),
  }),
];
