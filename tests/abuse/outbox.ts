import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** Longer than a mail takes that does not wait for a budget. */
const MAIL_TIMEOUT_MS = 2000;

/**
 * Waits for the mail about an appointment.
 * @returns the token of its link; undefined when no mail comes, because it waits for a budget
 */
export async function waitForMailToken(
  sandbox: Sandbox,
  appointmentId: string,
): Promise<string | undefined> {
  const link = new RegExp(`/confirmation/${appointmentId}\\?mail_token=([\\w-]+)`);
  const end = Date.now() + MAIL_TIMEOUT_MS;
  while (Date.now() < end) {
    for (const { text } of (await listMails(sandbox)).toReversed()) {
      const token = link.exec(text ?? '')?.[1];
      if (token !== undefined) return token;
    }
    await sleep(100);
  }
  return undefined;
}
