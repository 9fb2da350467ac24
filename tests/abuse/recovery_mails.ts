import { expect, vi } from 'vitest';
import type { Sandbox } from '#support/sandbox.ts';
import { listMails } from './outbox.ts';

/** Waits until so many mails with a recovery link were sent, and returns the tokens, oldest first. */
export async function waitForRecoveryTokens(sandbox: Sandbox, count: number): Promise<string[]> {
  return vi.waitFor(
    async () => {
      const tokens = await listRecoveryTokens(sandbox);
      expect(tokens.length).toBeGreaterThanOrEqual(count);
      return tokens;
    },
    { timeout: 30_000, interval: 100 },
  );
}

/** The tokens of all mailed recovery links, oldest first. */
export async function listRecoveryTokens(sandbox: Sandbox): Promise<string[]> {
  return (await listMails(sandbox)).flatMap(
    ({ text }) => /reset-password\?token=([\w-]+)/.exec(text ?? '')?.[1] ?? [],
  );
}
