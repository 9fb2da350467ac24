import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { siteDataDir } from './browser_server.ts';

/** Lets the time pass that a client had to confirm an appointment: nobody waits half an hour. */
export async function lapse(appointmentId: string): Promise<void> {
  const home = join(siteDataDir(), 'postgres');
  const [password, postmaster] = await Promise.all([
    readFile(join(home, 'password'), 'utf8'),
    readFile(join(home, 'cluster/postmaster.pid'), 'utf8'),
  ]);
  const client = new pg.Client({
    host: '127.0.0.1',
    port: Number(postmaster.split('\n')[3]),
    user: 'postgres',
    password: password.trim(),
    database: 'linework',
  });
  await client.connect();
  try {
    await client.query(
      "UPDATE appointment_times SET lapses_at = now() - interval '1 second' WHERE appointment_id = $1",
      [appointmentId],
    );
  } finally {
    await client.end();
  }
}
