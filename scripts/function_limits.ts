// `npm run check:functions`: the functions of `src` are short, flat and take few arguments (docs/decisions, 0074).
import ts from 'typescript';
import { checkFiles, type Finding, scriptOf } from './code_check.ts';

const FILES = 'src/**/*.{ts,tsx,js,astro}';
const MAX_LINES = 120;
const MAX_PARAMETERS = 4;
/** In how many other functions a function may stand. Functions on one line do not count. */
const MAX_DEPTH = 2;

/** The functions of a file that are beyond a limit, or several. */
export function excessiveFunctions(file: string, code: string): Finding[] {
  const text = scriptOf(file, code);
  return findIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), 0);
}

/** @param depth the number of functions around the node, without those on one line */
function findIn(node: ts.Node, depth: number): Finding[] {
  const found: Finding[] = [];
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
    if (excess.length > 0)
      found.push({ line: Number(first), message: `a function has ${excess.join(', ')}` });
    if (isCounted) depthOfChildren += 1;
  }
  ts.forEachChild(node, (child) => {
    found.push(...findIn(child, depthOfChildren));
  });
  return found;
}

if (import.meta.main) checkFiles(FILES, excessiveFunctions);
