// `npm run test:at -- 2028-02-29T15:00Z`: runs `npm test`, or the command after the instant, with the clocks of
// server, database and browser moved to that instant. Needs Linux and a C compiler.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [instant = '', ...words] = process.argv.slice(2);
const [command = 'npm', ...args] = words.length > 0 ? words : ['npm', 'test'];
const seconds = Math.round((Date.parse(instant) - Date.now()) / 1000);
if (Number.isNaN(seconds)) {
  console.error('Usage: npm run test:at -- 2028-02-29T15:00Z [COMMAND]');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'linework-clock-'));
// When the tests run as root, PostgreSQL runs as a user of its own, who must read the library.
chmodSync(folder, 0o755);
try {
  const library = join(folder, 'clock_offset.so');
  const options = ['-O2', '-shared', '-fPIC', `-DOFFSET=(${seconds}L)`, '-o', library];
  const compiled = spawnSync('cc', [...options, join(import.meta.dirname, 'clock_offset.c')]);
  if (compiled.status === 0) {
    const hook = join(import.meta.dirname, 'clock_offset.js');
    const env = { ...process.env, LD_PRELOAD: library, NODE_OPTIONS: `--import=${hook}` };
    const run = spawnSync(command, args, { stdio: 'inherit', env });
    process.exitCode = run.status ?? 1;
  } else {
    console.error(`Cannot move the clock: ${compiled.error?.message ?? compiled.stderr}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
