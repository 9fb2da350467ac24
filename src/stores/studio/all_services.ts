import { listOwnServices } from '#client/services.ts';
import type { Service } from '#contract/service.ts';
import { artistApi } from '../session.ts';
import { createReading } from './queries.ts';

/** The most that the API lists at once. */
const LIMIT = 200;

/** All of the artist's services, hidden ones included, for choosing among them. */
export const $services = createReading<readonly Service[]>(['services', 'all'], {
  fetcher: async () => (await listOwnServices(artistApi(), { limit: LIMIT })).data,
});
