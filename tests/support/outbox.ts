import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

/** All mails that a server without a mail server has saved below this folder, oldest first. */
export async function readOutbox(dataDir: string): Promise<Email[]> {
  const outbox = join(dataDir, 'outbox');
  // The folder does not exist before the first mail.
  const names = await readdir(outbox).catch((): string[] => []);
  return Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map(async (name) => PostalMime.parse(await readFile(join(outbox, name)))),
  );
}
