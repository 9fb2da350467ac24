import { createServer, type Server } from 'node:http';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';

const PATH = '/metrics';

/** Creates the HTTP server that Prometheus asks, apart from the one for clients. */
export function createMetricsServer(format: () => Promise<string>, log: Logger): Server {
  return createServer(async (request, response) => {
    const [path] = (request.url ?? '').split('?');
    if (path !== PATH) {
      response.writeHead(404).end('Not found\n');
      return;
    }
    if (request.method !== 'GET') {
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
}
