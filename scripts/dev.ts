// `npm run dev`: the API as a process that restarts when the server's sources change, and Astro's
// development server in front of it.
import { spawn } from 'node:child_process';
import { dev } from 'astro';

const port = Number(process.env['PORT'] || 4321);
const apiPort = port + 1;
const watched = ['server', 'domain', 'contract'].map((room) => `--watch-path=src/${room}`);

const api = spawn(process.execPath, [...watched, 'src/server/main.ts', '--api-only'], {
  stdio: 'inherit',
  env: { ...process.env, PORT: String(apiPort), SITE_URL: `http://localhost:${port}` },
});
process.env['API_URL'] = `http://127.0.0.1:${apiPort}`;
const site = await dev({ server: { port, host: process.env['HOST'] || '127.0.0.1' } });

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await site.stop();
  api.kill('SIGTERM');
}
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
api.on('exit', (code) => {
  void site.stop().then(() => process.exit(code ?? 0));
});
