// Checks Node's version before the import of our server, because old versions cannot parse it.
import '../../scripts/node_version.js';
import { setFlagsFromString } from 'node:v8';

// V8 would put often created objects into the old space at once. Those of a rendered page die soon,
// but keep others alive until the old space is collected: scavenges took twice as long.
setFlagsFromString('--no-allocation-site-pretenuring');
await import('./serve.ts');
