import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isFolder } from '#server/database/bundled/data_directory.ts';
import { readUserName } from '#server/database/bundled/system_user.ts';
import { errorCode } from '#server/database/error_code.ts';
import { error, ok, warning } from './finding.ts';
import type { Check } from './parts.ts';

/** Checks that this user may use DATA_DIR, and that it is the user of the server. */
export const checkDataFolder: Check = async ({ dataDir }) => {
  if (!(await isFolder(dataDir))) return [await checkMissingFolder(dataDir)];
  const code = await findAccessError(dataDir);
  if (code !== undefined)
    return error(
      `This user may not read and write in ${dataDir} (${code}).`,
      'Give the folder to this user (chown), or set DATA_DIR to another one.',
    );
  const { uid } = await stat(dataDir);
  const ownUid = process.getuid?.() ?? uid;
  if (uid !== ownUid)
    return warning(
      `${dataDir} belongs to ${await readUserName(uid)}, and this is ${await readUserName(ownUid)}.`,
      'Run the doctor as the user of the server, or its answers are those of another user.',
    );
  return ok(`${dataDir} can be read and written.`);
};

async function checkMissingFolder(dataDir: string) {
  const exists = (await stat(dataDir).catch(() => undefined)) !== undefined;
  if (exists)
    return error(`${dataDir} is a file.`, 'Move the file away, or set DATA_DIR to a folder.');
  const parent = await findExistingParent(dataDir);
  const code = await findAccessError(parent);
  return code === undefined
    ? ok(`${dataDir} is missing; the first start creates it.`)
    : error(
        `${dataDir} is missing, and this user may not create it in ${parent} (${code}).`,
        'Create the folder for this user, or set DATA_DIR to another one.',
      );
}

async function findExistingParent(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path || (await isFolder(parent))) return parent;
  return findExistingParent(parent);
}

async function findAccessError(folder: string): Promise<string | undefined> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (reason) {
    return errorCode(reason) ?? String(reason);
  }
}
