import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { vi } from 'vitest';
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

/** Waits for the mail about an appointment. @returns the token of its link */
export async function waitForMailToken(sandbox: Sandbox, appointmentId: string): Promise<string> {
  const link = new RegExp(`/confirmation/${appointmentId}\\?mail_token=([\\w-]+)`);
  return vi.waitFor(
    async () => {
      for (const { text } of (await listMails(sandbox)).toReversed()) {
        const token = link.exec(text ?? '')?.[1];
        if (token !== undefined) return token;
      }
      throw new Error('There is no mail with the link yet');
    },
    { timeout: 20_000, interval: 100 },
  );
}

export function isTo(mail: Email, address: string): boolean {
  return (mail.to ?? []).some((recipient) => recipient.address === address);
}
