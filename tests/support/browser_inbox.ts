import { expect } from '@playwright/test';
import type { Email } from 'postal-mime';
import { siteDataDir } from './browser_server.ts';
import { readOutbox } from './outbox.ts';

/** All mails to an address, oldest first. */
async function listMailsTo(address: string): Promise<readonly Email[]> {
  const mails = await readOutbox(siteDataDir());
  return mails.filter(({ to }) => to?.some((recipient) => recipient.address === address));
}

/** Waits for a mail to the address with this subject, and returns the newest one. */
export async function waitForMail(address: string, subjectPattern: RegExp): Promise<Email> {
  const find = async () =>
    (await listMailsTo(address)).findLast(({ subject }) => subjectPattern.test(subject ?? ''));
  // Mail is a job: it is sent after the response.
  await expect
    .poll(async () => (await find())?.subject, { timeout: 15_000 })
    .toMatch(subjectPattern);
  const mail = await find();
  if (!mail) throw new Error(`No mail about ${subjectPattern}`);
  return mail;
}

/** The path of the first link in the mail's text that matches. */
export function findLinkPath({ text = '' }: Email, pattern: RegExp): string {
  const links = text.match(/https?:\/\/\S+/g) ?? [];
  const link = links.map((url) => new URL(url)).find(({ pathname }) => pattern.test(pathname));
  if (!link) throw new Error(`No link in the mail: ${text}`);
  return link.pathname + link.search;
}
