/** Opens the ports of our server. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { errorCode } from '#server/database/error_code.ts';
import { ConfigError } from '#server/settings/config.ts';

/** An address to listen on, and the names of its settings, for errors. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly settings: { readonly host: string; readonly port: string };
}

/**
 * How many connections may wait until our process accepts them; the system may allow fewer. Node
 * accepts one in each turn of its event loop. With its usual 511, a burst of connections to a busy
 * process is lost, and clients try again only after seconds.
 */
const BACKLOG = 4096;

/**
 * Opens a port.
 * @returns its number; the operating system has chosen it if the setting is 0
 * @throws ConfigError when nothing can listen there
 */
export async function listen(
  server: Server,
  { host, port, settings }: ListenAddress,
): Promise<number> {
  server.listen({ port, host, backlog: BACKLOG });
  try {
    await once(server, 'listening');
  } catch (error) {
    const message = describeListenError(errorCode(error), { host, port, settings });
    throw new ConfigError(message, { cause: error });
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

function describeListenError(
  code: string | undefined,
  { host, port, settings }: ListenAddress,
): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken on ${host}. Stop what listens there, or set ${settings.port} to another one.`;
  if (code === 'EACCES')
    return `This user may not listen on port ${port}. Set ${settings.port} to 1024 or above.`;
  return `Cannot listen on ${host} (${code}). Set ${settings.host} to an address of this machine.`;
}

/** An origin such as `http://127.0.0.1:4321`; an IPv6 address stands in brackets. */
export function toOrigin(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
