import { listOwnServices } from '#client/services.ts';
import type { Service } from '#contract/service.ts';
import { artistApi } from '../session.ts';
import { createQuery } from './queries.ts';

/** The most that the API lists at once. */
const MAX_PAGE_SIZE = 200;

/** All of the artist's services, hidden ones included, for choosing among them. */
export const $allServices = createQuery<readonly Service[]>(['services', 'all'], {
  fetcher: async () => (await listOwnServices(artistApi(), { limit: MAX_PAGE_SIZE })).data,
});
