// `npm run check:names`: no type, export or import has the name of a global of TypeScript, the DOM or Node.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { checkFiles, type Finding, scriptOf } from './code_check.ts';

const FILES = '{src,tests,scripts,bench,demo}/**/*.{ts,tsx,js,astro}';
const EXCLUDED = [
  '**/node_modules/**',
  // Generated: a table's type has the table's name.
  'src/server/database/tables.ts',
];
/** Exports of libraries that keep their well-known names, by package. */
const LIBRARY_NAMES: Readonly<Record<string, string>> = {
  '@testing-library/react': 'screen',
  // Replaces the global where browsers do not have it yet.
  'temporal-polyfill': 'Temporal',
};

/** Every name that a file can use without importing it, with its origin: TypeScript, the DOM or Node. */
export function globalNames(): Map<string, string> {
  const program = ts.createProgram([fileURLToPath(import.meta.resolve('@types/node/index.d.ts'))], {
    lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  });
  const [anyFile] = program.getSourceFiles();
  if (!anyFile) throw new Error('TypeScript found no declarations of globals');
  const { Value, Type, Namespace } = ts.SymbolFlags;
  const symbols = program.getTypeChecker().getSymbolsInScope(anyFile, Value | Type | Namespace);
  return new Map(
    symbols.map(({ name, declarations }) => {
      const file = basename(declarations?.[0]?.getSourceFile().fileName ?? 'lib');
      if (file.startsWith('lib.dom')) return [name, 'the DOM'];
      return [name, file.startsWith('lib') ? 'TypeScript' : 'Node'];
    }),
  );
}

/** The types, exports and imports of a file that have the name of a global. */
export function shadowedGlobals(
  file: string,
  code: string,
  globals: ReadonlyMap<string, string>,
): Finding[] {
  const source = ts.createSourceFile(file, scriptOf(file, code), ts.ScriptTarget.Latest, false);
  return [...declaredTypes(source), ...source.statements.flatMap(importsAndExports)]
    .filter(({ text: name }) => globals.has(name))
    .map((identifier) => ({
      line: source.getLineAndCharacterOfPosition(identifier.getStart(source)).line + 1,
      message: `${identifier.text} has the name of a global of ${globals.get(identifier.text)}`,
    }))
    .filter(
      // Once, if a type is also exported in its line.
      (one, index, all) =>
        all.findIndex(({ line, message }) => line === one.line && message === one.message) ===
        index,
    )
    .toSorted((one, other) => one.line - other.line);
}

/** The names of all types in a file, exported or not. Without types that `declare global` adds to a global. */
function declaredTypes(node: ts.Node): ts.Identifier[] {
  if (ts.isModuleDeclaration(node) && node.flags & ts.NodeFlags.GlobalAugmentation) return [];
  const names: ts.Identifier[] = [];
  const isType =
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isEnumDeclaration(node);
  if (isType && node.name) names.push(node.name);
  ts.forEachChild(node, (child) => {
    names.push(...declaredTypes(child));
  });
  return names;
}

/** The names that a statement imports into the file, or exports from it. */
function importsAndExports(statement: ts.Statement): ts.Identifier[] {
  if (ts.isImportDeclaration(statement)) {
    const { name, namedBindings } = statement.importClause ?? {};
    if (!namedBindings) return name ? [name] : [];
    const others = ts.isNamespaceImport(namedBindings) ? [namedBindings] : namedBindings.elements;
    const { moduleSpecifier } = statement;
    const known = ts.isStringLiteral(moduleSpecifier) ? LIBRARY_NAMES[moduleSpecifier.text] : '';
    return [name, ...others.map((one) => one.name)]
      .filter((one) => one !== undefined)
      .filter(({ text }) => text !== known);
  }
  if (ts.isExportDeclaration(statement)) {
    const { exportClause } = statement;
    if (!exportClause) return [];
    const names = ts.isNamespaceExport(exportClause) ? [exportClause] : exportClause.elements;
    return names.map(({ name }) => name).filter(ts.isIdentifier);
  }
  if (!ts.canHaveModifiers(statement)) return [];
  const modifiers = ts.getModifiers(statement) ?? [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name));
  return ts.isFunctionDeclaration(statement) && statement.name ? [statement.name] : [];
}

/** The names that a declaration declares, which may destructure an object or a list. */
function namesIn(name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((one) => (ts.isBindingElement(one) ? namesIn(one.name) : []));
}

if (import.meta.main) {
  const globals = globalNames();
  checkFiles(FILES, (file, code) => shadowedGlobals(file, code, globals), EXCLUDED);
}
