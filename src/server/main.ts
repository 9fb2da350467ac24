// Checks Node's version before the import of our server, because old versions cannot parse it.
import '../../scripts/node_version.js';

await import('./serve.ts');
