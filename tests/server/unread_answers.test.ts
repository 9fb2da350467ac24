import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createDrainableServer } from '#server/shutdown.ts';
import { listenOn } from '#support/free_port.ts';

test('an answer that its client does not read is given up, and one that is read is not', async () => {
  const answers: string[] = [];
  const body = Buffer.alloc(64 * 1024 * 1024);
  const { server } = createDrainableServer(
    {},
    (request, response) => {
      response.once('close', () => {
        answers.push(`${request.url} ${response.writableFinished ? 'sent' : 'given up'}`);
        server.emit('answered');
      });
      response.end(body);
    },
    { unreadMs: 100, checkIntervalMs: 10 },
  );
  const port = await listenOn(server);
  const ask = (path: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return socket;
  };
  const unread = ask('/unread').pause();
  await once(server, 'answered');
  const read = ask('/read').resume();
  await once(server, 'answered');
  for (const socket of [unread, read]) socket.destroy();
  server.close();
  expect(answers).toEqual(['/unread given up', '/read sent']);
});
