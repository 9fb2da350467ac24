// `npm start`: builds the site if its sources changed, then serves.
import './node_version.js';
// Notes who started us, before building takes its time.
import '../src/server/shutdown.ts';
import { buildIfChanged } from './build.ts';

buildIfChanged();
await import('../src/server/main.ts');
