import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, realpath, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makePassable } from './data-directory.ts';

/** The folder that holds the cluster, its password and, where needed, a copy of the programs. */
export interface Home {
  readonly folder: string;
  readonly cluster: string;
  readonly passwordFile: string;
}

const outside = '/var/lib/linework';

/** The home this data directory already has, its own or one it links to. */
export async function findHome(dataDir: string): Promise<Home | undefined> {
  const place = join(dataDir, 'postgres');
  if (!(await isThere(place))) return undefined;
  const folder = await realpath(place).catch((cause: unknown) => {
    throw new Error(
      `${place} links to a folder that is not there, so the database cannot be found. Bring that folder back, or delete the link to begin with an empty database.`,
      { cause },
    );
  });
  return homeIn(folder);
}

/** A home inside the data directory. */
export async function makeHomeInside(dataDir: string): Promise<Home> {
  const folder = join(dataDir, 'postgres');
  await makePassable(folder);
  return homeIn(folder);
}

/**
 * A home that the database's user can reach when it cannot reach the data directory, linked from there.
 * One that is already in that place lost its link, so it is not known to be ours: it is set aside whole.
 */
export async function makeHomeOutside(
  dataDir: string,
  log: (line: string) => void,
  settle: (stray: Home) => Promise<void>,
): Promise<Home> {
  await mkdir(outside, { recursive: true });
  await chmod(outside, 0o755);
  const folder = join(await realpath(outside), createHash('sha256').update(dataDir).digest('hex'));
  const stray = homeIn(folder);
  if (await isThere(stray.cluster)) {
    await settle(stray);
    const aside = `${folder}.${new Date().toISOString().replaceAll(':', '-')}`;
    await rename(folder, aside);
    log(`A database that ${dataDir} no longer links to was set aside: ${aside}`);
  }
  await makePassable(folder);
  await symlink(folder, join(dataDir, 'postgres'));
  return homeIn(folder);
}

function homeIn(folder: string): Home {
  return { folder, cluster: join(folder, 'cluster'), passwordFile: join(folder, 'password') };
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
