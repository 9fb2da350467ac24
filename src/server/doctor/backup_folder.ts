import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ERASURE_LOG } from '#domain/clients/erasure.ts';
import { type RunAs, readUserName } from '#server/database/bundled/system_user.ts';
import { error, ok } from './finding.ts';
import { type Check, CONNECT_TIMEOUT_MS } from './parts.ts';

const TRIAL_SCRIPT = join(import.meta.dirname, 'trial_write.ts');

/** Writes and deletes a file in BACKUP_DIR as the user of the server, who makes the backups. */
export const checkBackupFolder: Check = async ({ config: { backupDir }, dataDir }) => {
  if (backupDir === undefined) return [];
  const folder = resolve(backupDir);
  const runAs = await findServerUser(dataDir);
  const failure = await findWriteError(folder, runAs);
  if (failure === undefined) return ok(`Backups can be written in ${folder}.`);
  const user = runAs.uid === undefined ? 'This user' : `The user ${await readUserName(runAs.uid)}`;
  return error(
    `${user} cannot write in ${folder} (${failure}), so no backup is made.`,
    'Give the folder and its files to the user of the server (chown), or correct BACKUP_DIR.',
  );
};

/** The user to write as: if we are root, the owner of DATA_DIR, as whom the server runs. */
async function findServerUser(dataDir: string): Promise<RunAs> {
  const owner = await stat(dataDir).catch(() => undefined);
  return process.getuid?.() !== 0 || !owner || owner.uid === 0
    ? {}
    : { uid: owner.uid, gid: owner.gid };
}

/** @returns the reason in the words of the operating system; undefined if a file can be written */
async function findWriteError(folder: string, { uid, gid }: RunAs): Promise<string | undefined> {
  const args = [TRIAL_SCRIPT, folder, ERASURE_LOG, ...(uid ? [`${uid}`, `${gid}`] : [])];
  const env = { ...process.env, NODE_OPTIONS: '' };
  try {
    const options = { cwd: '/', env, timeout: CONNECT_TIMEOUT_MS };
    await promisify(execFile)(process.execPath, args, options);
    return undefined;
  } catch (reason) {
    const output = reason instanceof Error && 'stderr' in reason ? String(reason.stderr) : '';
    // Such as `Error: EACCES: permission denied, open '/backups/x'`.
    return /\bE[A-Z\d]+: ([^,]+),/.exec(output)?.[1] ?? 'no answer';
  }
}
