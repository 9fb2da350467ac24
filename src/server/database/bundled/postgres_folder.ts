import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, realpath, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTraversableFolder } from './data_directory.ts';

/** The folder that holds the cluster, its password and, where needed, a copy of the programs. */
export interface PostgresFolder {
  readonly path: string;
  readonly clusterPath: string;
  readonly passwordFile: string;
}

const EXTERNAL_ROOT = '/var/lib/linework';

/** The home this data directory already has, its own or one it links to. */
export async function findPostgresFolder(dataDir: string): Promise<PostgresFolder | undefined> {
  const place = join(dataDir, 'postgres');
  if (!(await pathExists(place))) return undefined;
  const folder = await realpath(place).catch((cause: unknown) => {
    throw new Error(
      `${place} links to a folder that is not there, so the database cannot be found. Bring that folder back, or delete the link to begin with an empty database.`,
      { cause },
    );
  });
  return toPostgresFolder(folder);
}

/** A home inside the data directory. */
export async function makePostgresFolder(dataDir: string): Promise<PostgresFolder> {
  const folder = join(dataDir, 'postgres');
  await makeTraversableFolder(folder);
  return toPostgresFolder(folder);
}

/**
 * A home that the database's user can reach when it cannot reach the data directory, linked from there.
 * One that is already in that place lost its link, so it is not known to be ours: it is set aside whole.
 */
export async function makeExternalPostgresFolder(
  dataDir: string,
  log: (line: string) => void,
  settle: (stray: PostgresFolder) => Promise<void>,
): Promise<PostgresFolder> {
  await mkdir(EXTERNAL_ROOT, { recursive: true });
  await chmod(EXTERNAL_ROOT, 0o755);
  const folder = join(
    await realpath(EXTERNAL_ROOT),
    createHash('sha256').update(dataDir).digest('hex'),
  );
  const stray = toPostgresFolder(folder);
  if (await pathExists(stray.clusterPath)) {
    await settle(stray);
    const aside = `${folder}.${new Date().toISOString().replaceAll(':', '-')}`;
    await rename(folder, aside);
    log(`A database that ${dataDir} no longer links to was set aside: ${aside}`);
  }
  await makeTraversableFolder(folder);
  await symlink(folder, join(dataDir, 'postgres'));
  return toPostgresFolder(folder);
}

function toPostgresFolder(folder: string): PostgresFolder {
  return {
    path: folder,
    clusterPath: join(folder, 'cluster'),
    passwordFile: join(folder, 'password'),
  };
}

function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
