import * as z from 'zod/mini';
import { Availability, MonthQuery } from '#contract/availability.ts';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import { NewService, Service, ServiceChanges } from '#contract/service.ts';
import { loadServiceAvailability } from '#server/operations/availability.ts';
import * as operations from '#server/operations/services.ts';
import { artistRoute, cachedRoute } from './route.ts';

const ServicePath = z.object({ service_id: Id });
const UsernamePath = z.object({ username: UsernameParam });

const listOwnServices = artistRoute(
  {
    method: 'get',
    path: '/services',
    summary: 'The services of the artist, those that clients cannot book included',
    input: { query: PageQuery },
    status: 200,
    response: listPageOf(Service),
  },
  ({ context, artist, query }) => operations.listOwnServices(context, artist.id, query),
);

const createService = artistRoute(
  {
    method: 'post',
    path: '/services',
    summary: 'Add a service',
    input: { body: NewService },
    example: { name: 'Flash', description: 'From the wall.', duration: 60 },
    status: 201,
    response: Service,
  },
  ({ context, artist, body }) => operations.createService(context, artist.id, body),
);

const getOwnService = artistRoute(
  {
    method: 'get',
    path: '/services/:service_id',
    summary: "One of the artist's services",
    input: { path: ServicePath },
    status: 200,
    response: Service,
    refusals: ['not_found'],
  },
  ({ context, artist, path }) => operations.loadOwnService(context, artist.id, path.service_id),
);

const updateService = artistRoute(
  {
    method: 'patch',
    path: '/services/:service_id',
    summary: 'Change a service',
    description: 'Fields left out keep their value. Appointments keep the time they have.',
    input: { path: ServicePath, body: ServiceChanges },
    example: { is_available: false },
    status: 200,
    response: Service,
    refusals: ['not_found'],
  },
  ({ context, artist, path, body }) =>
    operations.updateService(context, artist.id, path.service_id, body),
);

const deleteService = artistRoute(
  {
    method: 'delete',
    path: '/services/:service_id',
    summary: 'Delete a service',
    description: 'Appointments that name it live on.',
    input: { path: ServicePath },
    status: 204,
    refusals: ['not_found'],
  },
  ({ context, artist, path }) => operations.deleteService(context, artist.id, path.service_id),
);

const listAvailableServices = cachedRoute(
  {
    method: 'get',
    path: '/services/:username/available',
    summary: 'What clients can book of an artist',
    input: { path: UsernamePath, query: PageQuery },
    status: 200,
    response: listPageOf(Service),
    refusals: ['not_found'],
  },
  ({ context, path, query }) => operations.listAvailableServices(context, path.username, query),
);

const getAvailableService = cachedRoute(
  {
    method: 'get',
    path: '/services/:username/available/:service_id',
    summary: 'One service that clients can book',
    input: { path: z.object({ username: UsernameParam, service_id: Id }) },
    status: 200,
    response: Service,
    refusals: ['not_found'],
  },
  ({ context, path }) => operations.loadAvailableService(context, path.username, path.service_id),
);

const getServiceAvailability = cachedRoute(
  {
    method: 'get',
    path: '/services/:service_id/availability',
    summary: 'The free slots of a service in a month of the studio',
    input: { path: ServicePath, query: MonthQuery },
    status: 200,
    response: Availability,
    refusals: ['not_found'],
  },
  ({ context, path, query }) =>
    loadServiceAvailability(context, path.service_id, query, Date.now()),
);

export const services = [
  listOwnServices,
  createService,
  listAvailableServices,
  getAvailableService,
  getServiceAvailability,
  getOwnService,
  updateService,
  deleteService,
];
