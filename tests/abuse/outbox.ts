import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import type { Sandbox } from '#support/sandbox.ts';

/** All mails that the server has sent, oldest first. */
export async function listMails({ dataDir }: Sandbox): Promise<readonly Email[]> {
  const outbox = join(dataDir, 'outbox');
  const names = await readdir(outbox).catch((): string[] => []);
  return Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map(async (name) => PostalMime.parse(await readFile(join(outbox, name)))),
  );
}

export function isTo(mail: Email, address: string): boolean {
  return (mail.to ?? []).some((recipient) => recipient.address === address);
}
