import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import PostalMime, { type Email } from 'postal-mime';
import { siteDataDir } from './browser_server.ts';

/** All mails to someone, the oldest first. */
export async function listMailsTo(address: string): Promise<readonly Email[]> {
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

/** The newest mail to someone about something, once it has been sent. */
export async function waitForMail(address: string, about: RegExp): Promise<Email> {
  const found = async () =>
    (await listMailsTo(address)).findLast(({ subject }) => about.test(subject ?? ''));
  // Mail is a job: it is sent after what it tells of was answered.
  await expect.poll(async () => (await found())?.subject, { timeout: 15_000 }).toMatch(about);
  const mail = await found();
  if (!mail) throw new Error(`No mail about ${about}`);
  return mail;
}

/** The path of the first link of a mail's text that leads there. */
export function findLinkPath({ text = '' }: Email, where: RegExp): string {
  const links = text.match(/https?:\/\/\S+/g) ?? [];
  const link = links.map((one) => new URL(one)).find(({ pathname }) => where.test(pathname));
  if (!link) throw new Error(`No link in the mail: ${text}`);
  return link.pathname + link.search;
}

/** The path of the recovery link in the newest mail that has one. */
export async function findRecoveryPath(address: string): Promise<string> {
  return findLinkPath(await waitForMail(address, /choose a new password/), /^\/reset-password$/);
}
