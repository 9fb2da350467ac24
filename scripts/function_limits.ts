// `npm run check:functions`: the functions of `src` are short, flat and take few arguments (docs/decisions, 0074).
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { scriptOf } from './global_names.ts';

const FILES = 'src/**/*.{ts,tsx,js,astro}';
const MAX_LINES = 120;
const MAX_PARAMETERS = 4;
/** In how many other functions a function may stand. Functions on one line do not count. */
const MAX_DEPTH = 2;

/** A function that breaks a limit, or several. */
export interface ExcessiveFunction {
  readonly line: number;
  readonly excess: string;
}

/** The functions of a file that are beyond a limit. */
export function excessiveFunctions(file: string, code: string): ExcessiveFunction[] {
  const text = scriptOf(file, code);
  return findIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), 0);
}

/** @param depth the number of functions around the node, without those on one line */
function findIn(node: ts.Node, depth: number): ExcessiveFunction[] {
  const found: ExcessiveFunction[] = [];
  let depthOfChildren = depth;
  if (ts.isFunctionLike(node) && 'body' in node && node.body) {
    const [first, last] = [node.getStart(), node.end].map(
      (position) => node.getSourceFile().getLineAndCharacterOfPosition(position).line + 1,
    );
    const lines = Number(last) - Number(first) + 1;
    const isCounted = lines > 1;
    const excess = [
      ...(lines > MAX_LINES ? [`${lines} lines`] : []),
      ...(node.parameters.length > MAX_PARAMETERS ? [`${node.parameters.length} parameters`] : []),
      ...(isCounted && depth > MAX_DEPTH ? [`${depth} functions around it`] : []),
    ];
    if (excess.length > 0) found.push({ line: Number(first), excess: excess.join(', ') });
    if (isCounted) depthOfChildren += 1;
  }
  ts.forEachChild(node, (child) => {
    found.push(...findIn(child, depthOfChildren));
  });
  return found;
}

if (import.meta.main) {
  for (const file of globSync(FILES).toSorted())
    for (const { line, excess } of excessiveFunctions(file, readFileSync(file, 'utf8'))) {
      console.log(`${file}:${line}  a function has ${excess}`);
      process.exitCode = 1;
    }
}
