import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { ServerInspection } from './operations/context.ts';
import type { Config } from './settings/config.ts';
import type { Variables } from './settings/settings.ts';

const PackageJson = z.object({ version: z.string() });

/** The version of Linework, from package.json. */
export async function readVersion(): Promise<string> {
  const manifest = await readFile(join(import.meta.dirname, '../../package.json'), 'utf8');
  return PackageJson.parse(JSON.parse(manifest)).version;
}

/** Reads the space of the disk that holds a folder. */
export async function readDisk(folder: string) {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/**
 * The state of this server for the operator's page.
 * @param variables from which the config was read
 */
export function createServerInspection(
  config: Config,
  dataDir: string,
  variables: Variables,
): ServerInspection {
  /** Shared by all who ask meanwhile, because each run opens connections of its own. */
  let running: ReturnType<ServerInspection['runDoctor']> | undefined;

  async function runDoctor() {
    // Imported only here: few servers are ever asked.
    const doctor = await import('./doctor/doctor.ts');
    return doctor.runDoctorChecks(config, variables);
  }

  return {
    readVersion,
    readDisk: () => readDisk(dataDir),
    runDoctor: () => (running ??= runDoctor().finally(() => (running = undefined))),
  };
}
