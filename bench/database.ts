import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DAY_MS } from '#domain/time/time.ts';
import { generateBookings } from './bookings.ts';

const POLL_MS = 50;

/** Runs statements on a connection of their own. */
async function withClient<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The rows of one statement. */
export function queryRows<Row extends object>(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withClient(databaseUrl, async (client) => (await client.query<Row>(text, values)).rows);
}

/** An artist of `many_artists.sql`, whose service takes an hour. */
export interface FilledArtist {
  readonly username: string;
  readonly serviceId: string;
  /** From a year ahead on, where nothing is booked yet. */
  readonly slots: ReturnType<typeof generateBookings>;
}

/** Some artists of `many_artists.sql`, spread over all that it made. */
export async function sampleArtists(
  databaseUrl: string,
  { sampled, all }: { readonly sampled: number; readonly all: number },
): Promise<FilledArtist[]> {
  const usernames = Array.from(
    { length: sampled },
    (_, nth) => `artist-${1 + Math.floor((nth * all) / sampled)}`,
  );
  const rows = await queryRows<{ username: string; service_id: string }>(
    databaseUrl,
    `SELECT username, services.id AS service_id
     FROM artists JOIN services ON services.artist_id = artists.id WHERE username = ANY ($1)`,
    [usernames],
  );
  const from = Math.ceil(Date.now() / DAY_MS + 365) * DAY_MS;
  return rows.map(({ username, service_id: serviceId }) => ({
    username,
    serviceId,
    slots: generateBookings(serviceId, from, 60),
  }));
}

/** Waits until all mails that are due have been sent. @throws Error after so many milliseconds */
export async function waitForMails(databaseUrl: string, longestMs: number): Promise<void> {
  const end = Date.now() + longestMs;
  while (Date.now() < end) {
    const waiting = await queryRows(
      databaseUrl,
      `SELECT FROM mails WHERE status = 'queued' AND coalesce(waits_until <= now(), true) LIMIT 1`,
    );
    if (waiting.length === 0) return;
    await sleep(POLL_MS);
  }
  throw new Error('The mails were not sent in time');
}

/**
 * Runs the statements of a file of this folder, one by one: VACUUM cannot run in a transaction with others.
 * @param numbers each replaces its name after a colon
 */
export async function runSqlFile(
  databaseUrl: string,
  file: string,
  numbers: Readonly<Record<string, number>>,
): Promise<void> {
  const sql = await readFile(join(import.meta.dirname, file), 'utf8');
  const filled = Object.entries(numbers).reduce(
    (text, [name, number]) => text.replaceAll(`:${name}`, String(number)),
    sql,
  );
  await withClient(databaseUrl, async (client) => {
    for (const statement of filled.split(';\n')) await client.query(statement);
  });
}
