import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { listen, toOrigin } from './listen.ts';
import { createMetricsServer } from './metrics/metrics_listener.ts';

/**
 * Serves the metrics on their own port.
 * @param resources receives what closes the port
 * @throws ConfigError when the port is taken
 */
export async function openMetricsPort(
  { host, port }: NonNullable<Config['metrics']>,
  format: () => Promise<string>,
  resources: AsyncDisposableStack,
  parentLog: Logger,
): Promise<void> {
  const log = parentLog.child({ component: 'Metrics' });
  const server = createMetricsServer(format, log);
  const settings = { host: 'METRICS_HOST', port: 'METRICS_PORT' };
  const actualPort = await listen(server, { host, port, settings });
  server.on('error', (error) => log.error({ err: error }, 'Accepting a connection failed'));
  resources.defer(async () => {
    server.close();
    server.closeAllConnections();
  });
  log.info(`Prometheus finds them at ${toOrigin(host, actualPort)}/metrics`);
}
