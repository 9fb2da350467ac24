import type { ListPage } from '#contract/common.ts';
import type { ReceivedMessage } from '#contract/contact.ts';
import type { PageParams, Transport } from './http.ts';

/** What visitors wrote to the artist, newest first. */
export function listMessages(
  http: Transport,
  page: PageParams = {},
): Promise<ListPage<ReceivedMessage>> {
  return http.get('users/me/messages', { searchParams: page }).json();
}

export async function deleteMessage(http: Transport, id: string): Promise<void> {
  await http.delete(`users/me/messages/${encodeURIComponent(id)}`, { keepalive: true });
}
