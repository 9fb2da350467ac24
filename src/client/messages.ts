import type { Listed } from '#contract/common.ts';
import type { KeptMessage } from '#contract/contact.ts';
import type { Http, PageParams } from './http.ts';

/** What visitors wrote to the artist, newest first. */
export function listMessages(http: Http, page: PageParams = {}): Promise<Listed<KeptMessage>> {
  return http.get('users/me/messages', { searchParams: page }).json();
}

export async function deleteMessage(http: Http, id: string): Promise<void> {
  await http.delete(`users/me/messages/${encodeURIComponent(id)}`, { keepalive: true });
}
