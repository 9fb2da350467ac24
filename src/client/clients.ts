import type * as z from 'zod/mini';
import type { ClientChanges, ClientQuery, ClientRecord } from '#contract/client.ts';
import type { ListPage } from '#contract/common.ts';
import { type Transport, toSearchParams } from './http.ts';

/** The artist's clients, those who booked last come first. */
export function listClients(http: Transport, query: Partial<ClientQuery> = {}) {
  const searchParams = toSearchParams(query);
  return http.get('clients/', { searchParams }).json<ListPage<ClientRecord>>();
}

export function fetchClient(http: Transport, id: string) {
  return http.get(`clients/${encodeURIComponent(id)}`).json<ClientRecord>();
}

/** Fields left out keep their value. */
export function changeClient(http: Transport, id: string, json: z.input<typeof ClientChanges>) {
  return http.patch(`clients/${encodeURIComponent(id)}`, { json }).json<ClientRecord>();
}
