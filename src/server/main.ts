// Starts our server. `serve.ts` is imported after the check, because old Node versions cannot parse it.
import '../../scripts/node_version.js';

await import('./serve.ts');
