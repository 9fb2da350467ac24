import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildServer, startServer } from './child_server.ts';

/** Where the bundled database goes when its user cannot enter the data directory. */
const SYSTEM_DATA_DIR = '/var/lib/linework';

/** A data directory of its own, with the demo in it; it is removed in the end. */
export interface Sandbox extends AsyncDisposable {
  /** The variables of a server here, which has no limits on how often it may be asked. */
  readonly environment: Readonly<Record<string, string>>;
  /** Starts the real program, alone and without limits on how often it may be asked. */
  serve(
    environment?: Readonly<Record<string, string>>,
    options?: readonly string[],
  ): Promise<ChildServer>;
  /** The database of the program while it runs. */
  databaseUrl(): Promise<string>;
}

/** @param project the folder of another checkout, whose program runs here; this one unless given */
export async function openSandbox(project?: string): Promise<Sandbox> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'linework-bench-')));
  // So that the database's own user can enter it when we run as root.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  const ownEnvironment = {
    DATA_DIR: dataDir,
    PORT: '0',
    RATE_LIMIT: 'off',
    STOP_DELAY_SECONDS: '0',
  };
  return {
    environment: ownEnvironment,
    serve: (environment = {}, options = []) =>
      startServer('src/server/main.ts', { ...ownEnvironment, ...environment }, options, project),
    databaseUrl: async () => {
      const home = join(dataDir, 'postgres');
      const password = (await readFile(join(home, 'password'), 'utf8')).trim();
      const [, , , port] = (await readFile(join(home, 'cluster/postmaster.pid'), 'utf8')).split(
        '\n',
      );
      return `postgresql://postgres:${password}@127.0.0.1:${port}/linework`;
    },
    [Symbol.asyncDispose]: async () => {
      const outside = join(SYSTEM_DATA_DIR, createHash('sha256').update(dataDir).digest('hex'));
      for (const path of [folder, outside])
        await rm(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
