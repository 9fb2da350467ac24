// `npm run check:markup`: browsers can translate the islands without breaking them (docs/decisions, 0033).
import { resolve } from 'node:path';
import ts from 'typescript';
import { type Finding, printFindings } from './code_check.ts';

/**
 * The texts in a file that are not the only child of an element. Translation moves each text node
 * into an element of its own, and React then fails to change or remove it.
 */
export function fragileTexts(source: ts.SourceFile, checker: ts.TypeChecker): Finding[] {
  return textsIn(source, checker).map((node) => ({
    line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
    message: `text beside other children: ${node.getText(source).trim().replaceAll(/\s+/g, ' ')}`,
  }));
}

function textsIn(node: ts.Node, checker: ts.TypeChecker): ts.Node[] {
  const found: ts.Node[] = [];
  if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
    const children = node.children.filter(isRendered);
    // The children of a fragment are siblings of what is around the fragment.
    if (children.length > 1 || ts.isJsxFragment(node))
      found.push(...children.filter((child) => isText(child, checker)));
  }
  // A text that a component returns without an element may have siblings where the component is used.
  if (ts.isReturnStatement(node) && node.expression && isInComponent(node))
    if (isText(node.expression, checker)) found.push(node.expression);
  ts.forEachChild(node, (child) => {
    found.push(...textsIn(child, checker));
  });
  return found;
}

function isRendered(child: ts.JsxChild): boolean {
  if (ts.isJsxText(child)) return !child.containsOnlyTriviaWhiteSpaces;
  // A JSX expression without an expression in it is a comment.
  return !ts.isJsxExpression(child) || child.expression !== undefined;
}

/** Whether a child is a text, or may be one. */
function isText(child: ts.JsxChild | ts.Expression, checker: ts.TypeChecker): boolean {
  if (ts.isJsxText(child)) return true;
  // The type of an element says nothing about its children.
  if (ts.isJsxElement(child) || ts.isJsxSelfClosingElement(child) || ts.isJsxFragment(child))
    return false;
  const expression = ts.isJsxExpression(child) ? child.expression : child;
  if (!expression) return false;
  return mayBeText(checker.getTypeAtLocation(expression), checker, new Set());
}

function mayBeText(type: ts.Type, checker: ts.TypeChecker, seen: Set<ts.Type>): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  if (type.isUnion()) return type.types.some((one) => mayBeText(one, checker, seen));
  // React renders nothing for an empty text.
  if (type.isStringLiteral()) return type.value !== '';
  const { Any, StringLike, NumberLike } = ts.TypeFlags;
  if (type.flags & (Any | StringLike | NumberLike)) return true;
  const item = checker.isArrayLikeType(type) ? type.getNumberIndexType() : undefined;
  return item !== undefined && mayBeText(item, checker, seen);
}

function isInComponent(node: ts.Node): boolean {
  const around = ts.findAncestor(node, ts.isFunctionLike);
  if (!around || !ts.isFunctionDeclaration(around)) return false;
  return /^[A-Z]/.test(around.name?.text ?? '');
}

/** The program of all TypeScript in a folder, with the settings of `tsconfig.json`. */
export function loadProgram(folder: string): ts.Program {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const files = ts.sys.readDirectory(resolve(folder), ['.ts', '.tsx']);
  return ts.createProgram(files, options);
}

if (import.meta.main) {
  const program = loadProgram('src/islands');
  const checker = program.getTypeChecker();
  for (const source of program.getSourceFiles())
    if (source.fileName.includes('/src/islands/'))
      printFindings(source.fileName, fragileTexts(source, checker));
}
