// `npm start`: builds the site if its sources changed, then serves.
import { buildIfChanged } from './build.ts';

buildIfChanged();
await import('../src/server/main.ts');
