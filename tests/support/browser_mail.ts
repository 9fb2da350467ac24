import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import PostalMime, { type Email } from 'postal-mime';
import { siteDataDir } from './browser_server.ts';

/** All mails to someone, the oldest first. */
export async function mailsTo(address: string): Promise<readonly Email[]> {
  const outbox = join(siteDataDir(), 'outbox');
  // Nothing was sent yet.
  const names = await readdir(outbox).catch(() => []);
  const mails = await Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .toSorted()
      .map(async (name) => PostalMime.parse(await readFile(join(outbox, name)))),
  );
  return mails.filter(({ to }) => to?.some((one) => one.address === address));
}

/** The path of the recovery link in the newest of so many mails to someone. */
export async function recoveryPath(address: string, mails = 1): Promise<string> {
  await expect.poll(async () => (await mailsTo(address)).length).toBe(mails);
  const text = (await mailsTo(address)).at(-1)?.text ?? '';
  const link = /https?:\/\/\S+\/reset-password\?token=\S+/.exec(text)?.[0];
  if (link === undefined) throw new Error(`No link in the mail: ${text}`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}
