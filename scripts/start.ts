// `npm start`: builds the site if its sources changed, then serves. The script in `package.json` has
// `exec`, so that npm is the parent of this process, and not a shell that outlives npm.
import './node_version.js';
// Imported before the build, which takes long: it notes the parent process, to stop when that ends.
import '../src/server/shutdown.ts';
import { exitUnlessServedHere } from './adapter.ts';
import { buildIfChanged } from './build.ts';

exitUnlessServedHere();
try {
  buildIfChanged();
} catch (error) {
  // Imported only after a failure: a server that starts need not load it.
  const { describeFailure } = await import('../src/server/log/describe_failure.ts');
  console.error(describeFailure(error, process.env['LOG_LEVEL'] === 'debug'));
  process.exit(1);
}
await import('../src/server/main.ts');
