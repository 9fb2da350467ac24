import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Refused: another live Linework server uses this data directory. */
export class DataDirectoryInUseError extends Error {
  override readonly name = 'DataDirectoryInUse';

  constructor(dataDir: string) {
    super(
      `Another Linework server is already using ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    );
  }
}

/** Says for as long as it is held: a live server uses this database. */
export interface LivenessLock {
  release(): Promise<void>;
}

/** Where the database listens, and the word that lets us in. */
export interface LocalConnection {
  readonly port: number;
  readonly password: string;
}

// Any number will do, as long as no version ever changes it. It counts within one database, so nothing
// that takes advisory locks in the application's database can meet it.
const LIVENESS_LOCK_KEY = 5_463_967_533;

/** A client of the maintenance database; its errors end its session and not our process. */
export function createMaintenanceClient({ port, password }: LocalConnection): Client {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5_000,
    application_name: 'linework server',
  });
  client.on('error', () => {});
  return client;
}

/** Whether a live server holds the database. Throws while the database does not answer. */
export async function isLivenessLockHeld(entrance: LocalConnection): Promise<boolean> {
  const session = await openLockedSession(entrance);
  await session?.end();
  return session === undefined;
}

/** Takes the lock for the life of this server, or answers undefined when another one has it. */
export async function acquireLivenessLock(
  entrance: LocalConnection,
  log: (line: string) => void,
): Promise<LivenessLock | undefined> {
  const first = await openLockedSession(entrance);
  if (first === undefined) return undefined;
  const stopping = new AbortController();
  let session: Client = first;

  const keep = (held: Client): void => {
    session = held;
    held.once('end', () => void retake());
  };
  // The session ends when the database crashes or is restarted; the server lives on and must say so again.
  const retake = async (): Promise<void> => {
    let warned = false;
    while (!stopping.signal.aborted) {
      const next = await openLockedSession(entrance).catch(() => null);
      if (next && stopping.signal.aborted) return next.end().catch(() => {});
      if (next) return keep(next);
      if (next === undefined && !warned) {
        log('Another Linework server has taken over this database. Stop one of them.');
        warned = true;
      }
      await sleep(250, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  keep(first);
  return {
    release: async () => {
      stopping.abort();
      await session.end().catch(() => {});
    },
  };
}

async function openLockedSession(entrance: LocalConnection): Promise<Client | undefined> {
  const client = createMaintenanceClient(entrance);
  try {
    await client.connect();
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1) as taken',
      [LIVENESS_LOCK_KEY],
    );
    if (rows[0]?.taken) return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  await client.end();
  return undefined;
}
