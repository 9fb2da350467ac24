import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { freePort } from './free_port.ts';

const DEPLOY = resolve(import.meta.dirname, '../../deploy');
const START_MS = 30_000;

/** A proxy with our configuration, in front of two local servers. */
export interface ReverseProxy extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** What the proxy has logged. */
  output(): string;
}

export interface Nginx extends ReverseProxy {
  /** The port that redirects to HTTPS. */
  readonly redirectPort: number;
  readonly tlsPort: number;
  /** The certificate of `book.example.com`, which signs itself. */
  readonly certificate: string;
}

/**
 * Starts an nginx with `deploy/nginx/linework.conf`, which also serves HTTP on one port. Open it
 * with `await using`.
 */
export async function openNginx(servers: readonly [number, number]): Promise<Nginx> {
  const folder = await openFolder('nginx');
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
  return { ...proxy, redirectPort, tlsPort, certificate: await readFile(certificate, 'utf8') };
}

/** Starts a Caddy with `deploy/caddy/Caddyfile`, but over HTTP. Open it with `await using`. */
export async function openCaddy(servers: readonly [number, number]): Promise<ReverseProxy> {
  const folder = await openFolder('caddy');
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

/** Other users may enter it: nginx started by root runs its workers as one of them. */
async function openFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `linework-${name}-`));
  await chmod(folder, 0o755);
  return folder;
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

async function startProxy(
  command: string,
  args: readonly string[],
  folder: string,
  port: number,
): Promise<ReverseProxy> {
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
  });
  const stop = async () => {
    if (failure === undefined) await endProcess(child);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await vi.waitUntil(
      () => failure !== undefined || child.exitCode !== null || acceptsConnections(port),
      { timeout: START_MS, interval: 50 },
    );
    if (failure !== undefined || child.exitCode !== null)
      throw new Error(
        `${command} did not start: ${failure?.message ?? output}\nOn Debian: apt-get install ${command}`,
      );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    output: () => output,
    [Symbol.asyncDispose]: stop,
  };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
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
