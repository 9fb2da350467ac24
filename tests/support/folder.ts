import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates an empty folder for the current test. */
export async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'linework-folder-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
