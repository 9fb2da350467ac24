import type { ListPage } from '#contract/common.ts';
import type { ReceivedMessage } from '#contract/contact.ts';
import type { PageParams, Transport } from './http.ts';

/** The messages of visitors to the artist, newest first. */
export function listMessages(http: Transport, page: PageParams = {}) {
  return http.get('users/me/messages', { searchParams: page }).json<ListPage<ReceivedMessage>>();
}

/** With `keepalive`, the request completes even if the browser leaves the page. */
export async function deleteMessage(http: Transport, id: string): Promise<void> {
  await http.delete(`users/me/messages/${encodeURIComponent(id)}`, { keepalive: true });
}
