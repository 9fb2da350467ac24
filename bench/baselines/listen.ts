import type { Server } from 'node:http';

/** Listens on a free port, prints the address, and exits on SIGTERM. */
export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    console.log(`ready at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  });
  process.on('SIGTERM', () => process.exit(0));
}
