// `npm start`: builds the site if its sources changed, then serves. The script in `package.json` has
// `exec`, so that npm is our parent, and not a shell that outlives npm.
import './node_version.js';
// Notes who started us, before building takes its time.
import '../src/server/shutdown.ts';
import { buildIfChanged } from './build.ts';

buildIfChanged();
await import('../src/server/main.ts');
