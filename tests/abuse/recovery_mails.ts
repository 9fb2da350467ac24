import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, vi } from 'vitest';
import type { Sandbox } from '#support/sandbox.ts';

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
export async function listRecoveryTokens({ dataDir }: Sandbox): Promise<string[]> {
  const outbox = join(dataDir, 'outbox');
  const names = await readdir(outbox).catch((): string[] => []);
  const mails = await Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map(async (name) => PostalMime.parse(await readFile(join(outbox, name)))),
  );
  return mails.flatMap(({ text }) => /reset-password\?token=([\w-]+)/.exec(text ?? '')?.[1] ?? []);
}
