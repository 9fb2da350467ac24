import type * as z from 'zod/mini';
import type { Client, ClientChanges, ClientQuery } from '#contract/client.ts';
import type { Listed } from '#contract/common.ts';
import { type Http, searchParams } from './http.ts';

/** The artist's clients, those who came last first. */
export function listClients(http: Http, query: Partial<ClientQuery> = {}): Promise<Listed<Client>> {
  return http.get('clients/', { searchParams: searchParams(query) }).json();
}

export function readClient(http: Http, id: string): Promise<Client> {
  return http.get(`clients/${encodeURIComponent(id)}`).json();
}

/** Fields left out keep their value. */
export function changeClient(
  http: Http,
  id: string,
  changes: z.input<typeof ClientChanges>,
): Promise<Client> {
  return http.patch(`clients/${encodeURIComponent(id)}`, { json: changes }).json();
}
