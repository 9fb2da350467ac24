// Serves what `npm run build` built; plain JavaScript, so that an older Node can say what it lacks.
import './scripts/node_version.js';

await import('./src/server/main.ts');
