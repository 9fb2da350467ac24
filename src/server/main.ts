// The server's entry. Node before 24 cannot read the syntax of all that follows, so nothing of it is
// imported before the version is known.
import '../../scripts/node_version.js';

await import('./serve.ts');
