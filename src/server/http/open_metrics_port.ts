import { createServer } from 'node:http';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Config } from '#server/settings/config.ts';
import { listen, toOrigin } from './listen.ts';

const PATH = '/metrics';

/**
 * Serves the metrics for Prometheus on their own port, apart from the one for clients.
 * @param resources receives the function that closes the port
 * @throws ConfigError when the port is taken
 */
export async function openMetricsPort(
  { host, port }: NonNullable<Config['metrics']>,
  format: () => Promise<string>,
  resources: AsyncDisposableStack,
  parentLog: Logger,
): Promise<void> {
  const log = parentLog.child({ component: 'Metrics' });
  const server = createServer(async ({ method, url = '' }, response) => {
    if (url.split('?')[0] !== PATH) {
      response.writeHead(404).end('Not found\n');
      return;
    }
    if (method !== 'GET') {
      response.writeHead(405, { Allow: 'GET' }).end();
      return;
    }
    try {
      const text = await format();
      response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text);
    } catch (error) {
      log.error({ err: error }, 'Collecting failed (this scrape is answered 500)');
      response.writeHead(500).end();
    }
  });
  const settings = { host: 'METRICS_HOST', port: 'METRICS_PORT' };
  const actualPort = await listen(server, { host, port, settings });
  server.on('error', (error) => log.error({ err: error }, 'Accepting a connection failed'));
  resources.defer(async () => {
    server.close();
    server.closeAllConnections();
  });
  log.info(`Prometheus finds them at ${toOrigin(host, actualPort)}${PATH}`);
}
