import { setTimeout as sleep } from 'node:timers/promises';
import { readOutbox } from '#support/outbox.ts';
import type { Sandbox } from '#support/sandbox.ts';

/** Longer than a mail takes that does not wait for a budget. */
const MAIL_TIMEOUT_MS = 2000;

/**
 * Waits for the mail about an appointment.
 * @returns the token of its link; undefined when no mail comes, because it waits for a budget
 */
export async function waitForMailToken(
  { dataDir }: Sandbox,
  appointmentId: string,
): Promise<string | undefined> {
  const link = new RegExp(`/confirmation/${appointmentId}\\?mail_token=([\\w-]+)`);
  const end = Date.now() + MAIL_TIMEOUT_MS;
  while (Date.now() < end) {
    for (const { text } of (await readOutbox(dataDir)).toReversed()) {
      const token = link.exec(text ?? '')?.[1];
      if (token !== undefined) return token;
    }
    await sleep(100);
  }
  return undefined;
}
