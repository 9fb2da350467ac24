import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { closeServer, listenOn } from './free_port.ts';

/** Starts an HTTP server on a free port until the test ends. */
export async function listenForTest(listener: RequestListener): Promise<URL> {
  // As our own server does.
  const server = createServer({ optimizeEmptyRequests: true }, listener);
  const port = await listenOn(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    await closeServer(server);
  });
  return new URL(`http://127.0.0.1:${port}/`);
}
