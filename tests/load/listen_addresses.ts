import { readFile } from 'node:fs/promises';

/** The listening addresses of a port, in the notation of /proc/net/tcp. */
export async function findListenAddresses(port: number): Promise<string[]> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((table) => readFile(`/proc/net/${table}`, 'utf8').catch(() => '')),
  );
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => state === '0A' && local.endsWith(ending))
    .map(([, local = '']) => local.slice(0, -ending.length));
}
