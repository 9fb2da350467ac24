import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { RunningServer } from '#support/sandbox.ts';

type Address = Pick<RunningServer, 'port'>;

export async function openSocket({ port }: Address): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Sends the first half of a login. */
export async function startLogin(server: Address): Promise<{ socket: Socket; finish: () => void }> {
  const form = 'username=ana%40example.com&password=tattoo-demo';
  const socket = await openSocket(server);
  const continued = once(socket, 'data');
  socket.write(
    `POST /api/v1/login/access-token HTTP/1.1\r\nHost: linework.test\r\nExpect: 100-continue\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n`,
  );
  await continued;
  socket.write(form.slice(0, 20));
  return { socket, finish: () => socket.write(form.slice(20)) };
}
