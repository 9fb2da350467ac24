import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { responseTo } from '#support/response_to.ts';
import type { RunningServer } from '#support/sandbox.ts';

type Address = Pick<RunningServer, 'port'>;

export async function openSocket({ port }: Address): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Sends the head of a form's request and, after 100 Continue, the first half of its body. */
export async function startPost(
  server: Address,
  path: string,
  form: string,
): Promise<{ socket: Socket; finish: () => void }> {
  const socket = await openSocket(server);
  const continued = once(socket, 'data');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: linework.test\r\nExpect: 100-continue\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n`,
  );
  await continued;
  socket.write(form.slice(0, 20));
  return { socket, finish: () => socket.write(form.slice(20)) };
}

/** Sends the first half of a login. */
export function startLogin(server: Address): Promise<{ socket: Socket; finish: () => void }> {
  const form = 'username=ana%40example.com&password=tattoo-demo';
  return startPost(server, '/api/v1/login/access-token', form);
}

/** A function that sends requests over one keep-alive connection of the current test. */
export function openConnection({ url }: Pick<RunningServer, 'url'>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return async (path: string) => {
    const response = await responseTo(request(`${url}${path}`, { agent }).end());
    const { statusCode: status, headers } = response;
    const { localPort = 0 } = response.socket;
    return { status, headers, localPort, body: await text(response) };
  };
}
