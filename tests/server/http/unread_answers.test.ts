import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createDrainableServer } from '#server/shutdown.ts';
import { listenOn } from '#support/free_port.ts';

test('an answer that its client does not read is given up', async () => {
  const body = Buffer.alloc(64 * 1024 * 1024);
  const { server } = createDrainableServer(
    {},
    (_request, response) => {
      response.once('close', () => server.emit('answered', response.writableFinished));
      response.end(body);
    },
    { unreadMs: 100, checkIntervalMs: 10 },
  );
  const port = await listenOn(server);
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(await once(server, 'answered')).toEqual([false]);
  socket.destroy();
  server.close();
});
