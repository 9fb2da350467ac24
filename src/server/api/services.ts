import * as z from 'zod/mini';
import { Availability, MonthQuery } from '#contract/availability.ts';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import * as endpoints from '#contract/endpoints.ts';
import { NewService, Service, ServiceChanges } from '#contract/service.ts';
import { loadServiceAvailability } from '#server/operations/booking/availability.ts';
import * as operations from '#server/operations/catalogue/services.ts';
import { anyone, artists, route } from './route.ts';

const ServicePath = z.object({ service_id: Id });
const UsernamePath = z.object({ username: UsernameParam });

export const services = [
  route(endpoints.listOwnServices, artists, {
    summary: "All of the artist's services, also those that clients cannot book",
    input: { query: PageQuery },
    response: listPageOf(Service),
    handle: ({ context, artist, query }) => operations.listServices(context, artist.id, query),
  }),
  route(endpoints.createService, artists, {
    summary: 'Add a service',
    input: { body: NewService },
    // Flash: ready-made drawings on the studio's wall.
    example: { name: 'Flash', description: 'From the wall.', duration: 60 },
    status: 201,
    response: Service,
    refusals: ['too_many_services'],
    handle: ({ context, artist, body }) => operations.createService(context, artist.id, body),
  }),
  route(endpoints.listAvailableServices, anyone, {
    cached: true,
    summary: 'The services that clients can book from an artist',
    input: { path: UsernamePath, query: PageQuery },
    response: listPageOf(Service),
    handle: ({ context, path, query }) =>
      operations.listAvailableServices(context, path.username, query),
  }),
  route(endpoints.fetchAvailableService, anyone, {
    cached: true,
    summary: 'One service that clients can book',
    input: { path: z.object({ username: UsernameParam, service_id: Id }) },
    response: Service,
    handle: ({ context, path }) =>
      operations.loadAvailableService(context, path.username, path.service_id),
  }),
  route(endpoints.fetchServiceAvailability, anyone, {
    cached: true,
    summary: "The free slots of a service in a month, in the studio's time zone",
    description: 'Also while the books are closed: clients move the appointments that they have.',
    input: { path: ServicePath, query: MonthQuery },
    response: Availability,
    handle: ({ context, path, query, now }) =>
      loadServiceAvailability(context, path.service_id, query, now),
  }),
  route(endpoints.fetchService, artists, {
    summary: "One of the artist's services",
    input: { path: ServicePath },
    response: Service,
    handle: ({ context, artist, path }) =>
      operations.loadService(context, artist.id, path.service_id),
  }),
  route(endpoints.changeService, artists, {
    summary: 'Change a service',
    description: 'Omitted fields stay unchanged. Existing appointments keep their times.',
    input: { path: ServicePath, body: ServiceChanges },
    example: { is_available: false },
    response: Service,
    handle: ({ context, artist, path, body }) =>
      operations.updateService(context, artist.id, path.service_id, body),
  }),
  route(endpoints.deleteService, artists, {
    summary: 'Delete a service',
    description: 'Existing appointments still show it.',
    input: { path: ServicePath },
    handle: ({ context, artist, path }) =>
      operations.deleteService(context, artist.id, path.service_id),
  }),
];
