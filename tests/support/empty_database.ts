import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { databaseUrl } from './postgres_cluster.ts';
import { queryDatabase } from './sandbox.ts';

/** Creates an empty database whose owner is not a superuser, and returns the owner's URL. */
export async function createEmptyDatabase(): Promise<string> {
  const cluster = inject('cluster');
  const name = `empty_${randomUUID().replaceAll('-', '')}`;
  await queryDatabase(cluster, `CREATE ROLE ${name} LOGIN PASSWORD 'owner'`);
  await queryDatabase(cluster, `CREATE DATABASE ${name} OWNER ${name}`);
  const url = new URL(databaseUrl(cluster, name));
  url.username = name;
  url.password = 'owner';
  return url.href;
}
