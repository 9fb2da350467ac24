import type * as z from 'zod/mini';
import type { ClientChanges, ClientQuery, ClientRecord } from '#contract/client.ts';
import type { ListPage } from '#contract/common.ts';
import { type Transport, toSearchParams } from './http.ts';

/** The artist's clients, those who came last first. */
export function listClients(
  http: Transport,
  query: Partial<ClientQuery> = {},
): Promise<ListPage<ClientRecord>> {
  return http.get('clients/', { searchParams: toSearchParams(query) }).json();
}

export function fetchClient(http: Transport, id: string): Promise<ClientRecord> {
  return http.get(`clients/${encodeURIComponent(id)}`).json();
}

/** Fields left out keep their value. */
export function changeClient(
  http: Transport,
  id: string,
  changes: z.input<typeof ClientChanges>,
): Promise<ClientRecord> {
  return http.patch(`clients/${encodeURIComponent(id)}`, { json: changes }).json();
}
