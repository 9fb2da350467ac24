import * as z from 'zod/mini';
import { Availability, MonthQuery } from '#contract/availability.ts';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import { NewService, Service, ServiceChanges } from '#contract/service.ts';
import { readSlots } from '#server/operations/availability.ts';
import * as operations from '#server/operations/services.ts';
import { artistRoute, cachedRoute } from './route.ts';

const ByService = z.object({ service_id: Id });
const ByUsername = z.object({ username: UsernameParam });

const listOwn = artistRoute(
  {
    method: 'get',
    path: '/services',
    summary: 'The services of the artist, those that clients cannot book included',
    takes: { query: PageQuery },
    status: 200,
    answer: listPageOf(Service),
  },
  ({ context, artist, query }) => operations.listOwnServices(context, artist.id, query),
);

const create = artistRoute(
  {
    method: 'post',
    path: '/services',
    summary: 'Add a service',
    takes: { body: NewService },
    example: { name: 'Flash', description: 'From the wall.', duration: 60 },
    status: 201,
    answer: Service,
  },
  ({ context, artist, body }) => operations.createService(context, artist.id, body),
);

const read = artistRoute(
  {
    method: 'get',
    path: '/services/:service_id',
    summary: "One of the artist's services",
    takes: { path: ByService },
    status: 200,
    answer: Service,
    refusals: ['not_found'],
  },
  ({ context, artist, path }) => operations.readOwnService(context, artist.id, path.service_id),
);

const change = artistRoute(
  {
    method: 'patch',
    path: '/services/:service_id',
    summary: 'Change a service',
    description: 'Fields left out keep their value. Appointments keep the time they have.',
    takes: { path: ByService, body: ServiceChanges },
    example: { is_available: false },
    status: 200,
    answer: Service,
    refusals: ['not_found'],
  },
  ({ context, artist, path, body }) =>
    operations.changeService(context, artist.id, path.service_id, body),
);

const remove = artistRoute(
  {
    method: 'delete',
    path: '/services/:service_id',
    summary: 'Delete a service',
    description: 'Appointments that name it live on.',
    takes: { path: ByService },
    status: 204,
    refusals: ['not_found'],
  },
  ({ context, artist, path }) => operations.removeService(context, artist.id, path.service_id),
);

const listAvailable = cachedRoute(
  {
    method: 'get',
    path: '/services/:username/available',
    summary: 'What clients can book of an artist',
    takes: { path: ByUsername, query: PageQuery },
    status: 200,
    answer: listPageOf(Service),
    refusals: ['not_found'],
  },
  ({ context, path, query }) => operations.listAvailableServices(context, path.username, query),
);

const readAvailable = cachedRoute(
  {
    method: 'get',
    path: '/services/:username/available/:service_id',
    summary: 'One service that clients can book',
    takes: { path: z.object({ username: UsernameParam, service_id: Id }) },
    status: 200,
    answer: Service,
    refusals: ['not_found'],
  },
  ({ context, path }) => operations.readAvailableService(context, path.username, path.service_id),
);

const availability = cachedRoute(
  {
    method: 'get',
    path: '/services/:service_id/availability',
    summary: 'The free slots of a service in a month of the studio',
    takes: { path: ByService, query: MonthQuery },
    status: 200,
    answer: Availability,
    refusals: ['not_found'],
  },
  ({ context, path, query }) => readSlots(context, path.service_id, query, Date.now()),
);

export const services = [
  listOwn,
  create,
  listAvailable,
  readAvailable,
  availability,
  read,
  change,
  remove,
];
