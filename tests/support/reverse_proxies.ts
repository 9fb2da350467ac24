import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { openDaemonFolder, startDaemon } from './daemon.ts';
import { freePort } from './free_port.ts';

const DEPLOY = resolve(import.meta.dirname, '../../deploy');

export type ReverseProxy = Awaited<ReturnType<typeof startProxy>>;
export type Nginx = Awaited<ReturnType<typeof openNginx>>;

/**
 * Starts an nginx with `deploy/nginx/linework.conf`, which also serves HTTP on one port. Open it
 * with `await using`.
 */
export async function openNginx(servers: readonly [number, number]) {
  const folder = await openDaemonFolder('nginx');
  const port = await freePort(3);
  const [tlsPort, redirectPort] = [port + 1, port + 2];
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const subject = [
    '-subj',
    '/CN=book.example.com',
    '-addext',
    'subjectAltName=DNS:book.example.com',
  ];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-days', '2', ...subject, ...curve, '-keyout', key, '-out', certificate],
  ]);
  const site = await readWith('nginx/linework.conf', [
    ['10.0.0.1:4321', `127.0.0.1:${servers[0]}`],
    ['10.0.0.2:4321', `127.0.0.1:${servers[1]}`],
    ['listen 80;', `listen 127.0.0.1:${redirectPort};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${tlsPort} ssl http2; listen 127.0.0.1:${port};`],
    ['listen [::]:443 ssl http2;', ''],
    ['/etc/letsencrypt/live/book.example.com/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/book.example.com/privkey.pem', key],
  ]);
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'scgi', 'uwsgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join(' ');
  const file = join(folder, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; pid ${join(folder, 'pid')}; error_log stderr; worker_processes 2;
    events {} http { ${temporaryPaths} ${site} }`,
  );
  const proxy = await startProxy('nginx', ['-e', 'stderr', '-c', file], folder, port);
  return {
    ...proxy,
    /** The port that redirects to HTTPS. */
    redirectPort,
    tlsPort,
    /** The certificate of `book.example.com`, which signs itself. */
    certificate: await readFile(certificate, 'utf8'),
  };
}

/** Starts a Caddy with `deploy/caddy/Caddyfile`, but over HTTP. Open it with `await using`. */
export async function openCaddy(servers: readonly [number, number]) {
  const folder = await openDaemonFolder('caddy');
  const port = await freePort();
  const site = await readWith('caddy/Caddyfile', [
    ['10.0.0.1:4321', `127.0.0.1:${servers[0]}`],
    ['10.0.0.2:4321', `127.0.0.1:${servers[1]}`],
    ['book.example.com', `http://127.0.0.1:${port}`],
  ]);
  const file = join(folder, 'Caddyfile');
  await writeFile(file, `{\n admin off\n}\n${site}`);
  const args = ['run', '--adapter', 'caddyfile', '--config', file];
  return startProxy('caddy', args, folder, port);
}

/** A file of `deploy` with values for tests instead of its examples, each of which must be there. */
async function readWith(
  path: string,
  replacements: readonly (readonly [example: string, value: string])[],
): Promise<string> {
  let text = await readFile(join(DEPLOY, path), 'utf8');
  for (const [example, value] of replacements) {
    if (!text.includes(example)) throw new Error(`deploy/${path} lacks ${example}`);
    text = text.replace(example, value);
  }
  return text;
}

/** Starts a proxy with our configuration, in front of two local servers. */
async function startProxy(command: string, args: readonly string[], folder: string, port: number) {
  const stop = await startDaemon(command, args, folder, () => acceptsConnections(port));
  return { url: `http://127.0.0.1:${port}`, port, [Symbol.asyncDispose]: stop };
}

async function acceptsConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
