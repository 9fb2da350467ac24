import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { databaseUrl } from './postgres_cluster.ts';

/** Creates an empty database whose owner is not a superuser, and returns the owner's URL. */
export async function createEmptyDatabase(): Promise<string> {
  const cluster = inject('cluster');
  const name = `empty_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: cluster });
  await client.connect();
  try {
    await client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'owner'`);
    await client.query(`CREATE DATABASE ${name} OWNER ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(databaseUrl(cluster, name));
  url.username = name;
  url.password = 'owner';
  return url.href;
}
