import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

/** The system user PostgreSQL runs as, ready to be spread into spawn's options; empty means as ourselves. */
export type RunAs =
  | { readonly uid: number; readonly gid: number }
  | { readonly uid?: never; readonly gid?: never };

interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Chooses who runs PostgreSQL: ourselves, or when we are root (which it refuses) an unprivileged user. */
export async function choosePostgresUser(cluster: string | undefined): Promise<RunAs> {
  const owner = cluster === undefined ? undefined : await stat(cluster);
  const self = process.getuid?.();
  if (self !== 0) {
    if (owner !== undefined && owner.uid !== self) {
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

/** Whether that user can enter a folder. Asked of the system, because mode bits are not the whole truth. */
export async function canEnter(folder: string, runAs: RunAs): Promise<boolean> {
  return execFileAsync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...runAs, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

/** A user's name for messages. */
export async function readUserName(uid: number): Promise<string> {
  return (await readSystemUsers()).find((user) => user.uid === uid)?.name ?? `number ${uid}`;
}

async function readSystemUsers(): Promise<SystemUser[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((user) => user.uid > 0 && user.gid > 0);
}
