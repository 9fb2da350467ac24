/** Chooses the operating system's user for PostgreSQL, which refuses to run as root. */
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Options for `spawn`: the user to run a program as, or `{}` for our own user. */
export type RunAs =
  | { readonly uid: number; readonly gid: number }
  | { readonly uid?: never; readonly gid?: never };

/**
 * Chooses our own user. If we are root: the cluster's owner, else `postgres`, else `nobody`.
 * @param cluster the folder with PostgreSQL's data files; undefined before the first start
 */
export async function choosePostgresUser(cluster: string | undefined): Promise<RunAs> {
  const owner = cluster === undefined ? undefined : await stat(cluster);
  const ownUid = process.getuid?.();
  if (ownUid !== 0) {
    if (owner !== undefined && owner.uid !== ownUid) {
      throw new Error(
        `The database in ${cluster} belongs to user ${await readUserName(owner.uid)}. Start Linework as that user or as root.`,
      );
    }
    return {};
  }
  const users = await readSystemUsers();
  const unprivileged =
    users.find((user) => user.name === 'postgres') ?? users.find((user) => user.name === 'nobody');
  if (owner?.uid === 0) {
    throw new Error(
      `The database in ${cluster} belongs to root, as which PostgreSQL refuses to run. ` +
        `Give it to another user first: chown -R ${unprivileged?.name ?? 'postgres'}: ${cluster}`,
    );
  }
  if (owner !== undefined) return { uid: owner.uid, gid: owner.gid };
  if (unprivileged !== undefined) return { uid: unprivileged.uid, gid: unprivileged.gid };
  throw new Error(
    'PostgreSQL refuses to run as root, and this system has neither a user "postgres" nor "nobody". ' +
      'Start Linework as an ordinary user, or set DATABASE_URL.',
  );
}

/** Tries to enter a folder as the user, because mode bits do not show access control lists. */
export async function canEnter(folder: string, runAs: RunAs): Promise<boolean> {
  try {
    const args = ['-c', 'cd "$1"', 'sh', folder];
    await promisify(execFile)('/bin/sh', args, { ...runAs, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

/** Returns the user's name for messages, or `number <uid>` if the name is unknown. */
export async function readUserName(uid: number): Promise<string> {
  return (await readSystemUsers()).find((user) => user.uid === uid)?.name ?? `number ${uid}`;
}

/** The users in `/etc/passwd`, except root and members of its group; empty without such a file. */
async function readSystemUsers() {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((user) => user.uid > 0 && user.gid > 0);
}
