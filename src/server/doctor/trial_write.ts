/**
 * A process of the doctor: writes and deletes a file in a folder, and opens its log for writing. Arguments:
 * the folder, the name of the log, and, if we are root, the user id and the group id of the server.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, lstatSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';

const [folder = '', log = '', uid, gid] = process.argv.slice(2);
if (uid !== undefined) becomeUser(Number(uid), Number(gid));

let existing = folder;
// A link to a disk that is not mounted is there too: `mkdir` creates nothing in its place.
while (!lstatSync(existing, { throwIfNoEntry: false })) existing = dirname(existing);
const file = join(existing, `.linework-doctor-${randomUUID()}`);
try {
  writeFileSync(file, 'trial');
} finally {
  rmSync(file, { force: true });
}
const logPath = join(folder, log);
if (existsSync(logPath)) closeSync(openSync(logPath, 'a'));

/** Gives up root, and takes all groups of the user: `spawn` with `uid` and `gid` would take only one group. */
function becomeUser(uid: number, gid: number): void {
  const user = findUser(uid);
  const groups = user ? execFileSync('id', ['-G', user.username]).toString().split(' ') : [];
  process.setgroups?.(groups.map(Number));
  process.setgid?.(user?.gid ?? gid);
  process.setuid?.(uid);
}

/** Undefined for a user without a name, as in a container. */
function findUser(uid: number) {
  process.seteuid?.(uid);
  try {
    return userInfo();
  } catch {
    return undefined;
  } finally {
    process.seteuid?.(0);
  }
}
