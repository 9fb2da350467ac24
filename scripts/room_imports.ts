// `npm run check:rooms`: files import only what their room may (scripts/rooms.ts).
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { checkFiles, type Finding, scriptOf } from './code_check.ts';
import { nameOf, ROOMS, type Room, ruleOf } from './rooms.ts';

const FILES = '{src,demo}/**/*.{ts,tsx,js,astro}';
/** A stylesheet, picture or font in a folder without code, as Vite imports it. */
const ASSET = /^\.\.\/.*\.(css|css\?url|svg\?url|woff2\?url)$/;

/** The imports of a file that its room may not have. Type imports, exports from and `import()` count too. */
export function forbiddenImports(file: string, code: string): Finding[] {
  const room = roomOf(file);
  if (!room) return [{ line: 1, message: 'the file is in no room of scripts/rooms.ts' }];
  const source = ts.createSourceFile(file, scriptOf(file, code), ts.ScriptTarget.Latest);
  return modulesIn(source)
    .filter(({ text }) => !mayImport(room, file, text))
    .map((module) => ({
      line: source.getLineAndCharacterOfPosition(module.getStart(source)).line + 1,
      message: `${module.text}: ${ruleOf(room)}`,
    }));
}

/** The room of a file. A room that contains other rooms has only the files directly in its folder. */
function roomOf(path: string): Room | undefined {
  return ROOMS.find(({ folder }) =>
    ROOMS.some((other) => other.folder.startsWith(`${folder}/`))
      ? dirname(path) === folder
      : isIn(folder, path),
  );
}

/** Whether a file may import a module. @param module as the import names it */
function mayImport(room: Room, file: string, module: string): boolean {
  const { imports, packages } = room;
  const parts = module.split('/');
  // `..` stands only at the beginning of a path, so that the rest shows the target.
  if (parts.lastIndexOf('..') > parts.findIndex((part) => part !== '..')) return false;
  if (module.startsWith('#'))
    return [nameOf(room), ...imports].some((name) => isIn(name, module.slice(1)));
  if (module.startsWith('.')) {
    const path = join(dirname(file), module);
    if (packages === 'site' && ASSET.test(module)) return true;
    // `src/server` imports the rooms inside it.
    if (imports.includes(nameOf(room)) && isIn(room.folder, path)) return true;
    return roomOf(path) === room ? isInOrder(room, file, path) : imports.includes(path);
  }
  if (packages === 'any') return true;
  if (packages === 'site') return !module.startsWith('node:');
  return packages.some((name) => isIn(name, module));
}

/** Whether a file's folder may import from the folder of a path in the same room. */
function isInOrder({ folder, order = [] }: Room, file: string, path: string): boolean {
  // -1 for the files beside the folders, which every folder may import.
  const placeOf = (one: string) => order.findIndex((name) => isIn(`${folder}/${name}`, one));
  return placeOf(path) <= placeOf(file);
}

function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The names of all modules that the code in a node imports. */
function modulesIn(node: ts.Node): ts.StringLiteralLike[] {
  const module = moduleOf(node);
  const found = module && ts.isStringLiteralLike(module) ? [module] : [];
  ts.forEachChild(node, (child) => {
    found.push(...modulesIn(child));
  });
  return found;
}

/** The name of the module that a node itself imports; undefined if it is not an import. */
function moduleOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  const isCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isCall ? node.arguments[0] : undefined;
}

if (import.meta.main) checkFiles(FILES, forbiddenImports);
