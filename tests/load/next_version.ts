import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openFolder } from '#support/folder.ts';
import { NEXT_MIGRATION } from '#support/next_version.ts';
import { copyProgram } from './program_copy.ts';

/** Copies the program, with the same build and one more migration, whose text is `sql`. */
export async function copyNextVersion(sql: string): Promise<string> {
  const folder = await copyProgram(join(await openFolder(), 'next version'), { built: false });
  await symlink(join(inject('program'), 'dist'), join(folder, 'dist'));
  await writeFile(join(folder, 'src/server/database/migrations', NEXT_MIGRATION), sql);
  return folder;
}
