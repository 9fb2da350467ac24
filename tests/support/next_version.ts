import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openFolder } from './folder.ts';

const FOLDER = 'src/server/database/migrations';

/** The files of this version's migrations, in order. */
export const MIGRATION_FILES: readonly string[] = (await readdir(FOLDER)).sort();

/** The migration that only the next version has. */
export const NEXT_MIGRATION = '0099_made_up.sql';

export const NEXT_SQL = {
  can: `-- Older servers can run with this migration: they ignore the column and the table.
ALTER TABLE artists ADD COLUMN made_up text NOT NULL DEFAULT 'made up';
CREATE TABLE made_up AS SELECT id FROM artists;
`,
  cannot: `-- Older servers cannot run with this migration: the column is gone.
ALTER TABLE artists DROP COLUMN about_me;
`,
};

/** Creates the folder of the migrations of a version after this one. */
export async function createNextMigrations(olderServers: keyof typeof NEXT_SQL): Promise<URL> {
  const folder = await openFolder();
  for (const name of MIGRATION_FILES) await copyFile(join(FOLDER, name), join(folder, name));
  await writeFile(join(folder, NEXT_MIGRATION), NEXT_SQL[olderServers]);
  return pathToFileURL(`${folder}/`);
}
