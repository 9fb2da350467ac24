// `npm run check:functions`: the functions of `src` are short, flat and take few arguments (docs/decisions, 0074).
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import * as z from 'zod/mini';
import { scriptOf } from './global_names.ts';

const FILES = 'src/**/*.{ts,tsx,js,astro}';
const MAX_LINES = 120;
const MAX_PARAMETERS = 4;
/** How many functions a function may stand in. Functions on one line are not counted. */
const MAX_DEPTH = 2;

/** How many functions of each file are beyond a limit. `npm run format` lowers it, and nothing raises it. */
export const ALLOWANCE_FILE = 'scripts/function_allowance.json';
const Allowance = z.record(z.string(), z.int());
type Allowance = z.output<typeof Allowance>;

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

/** @param depth how many functions the node stands in */
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

/** The allowance of now, without what was mended since. */
export function lowerAllowance(): Allowance {
  const found = findInFiles();
  return Object.fromEntries(
    Object.entries(readAllowance())
      .map(([file, count]) => [file, Math.min(count, found.get(file)?.length ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
}

function readAllowance(): Allowance {
  return Allowance.parse(JSON.parse(readFileSync(ALLOWANCE_FILE, 'utf8')));
}

function findInFiles(): Map<string, ExcessiveFunction[]> {
  const files = globSync(FILES).toSorted();
  return new Map(
    files.map((file) => [file, excessiveFunctions(file, readFileSync(file, 'utf8'))] as const),
  );
}

if (import.meta.main) {
  const allowance = readAllowance();
  for (const [file, found] of findInFiles()) {
    if (found.length <= (allowance[file] ?? 0)) continue;
    for (const { line, excess } of found) console.log(`${file}:${line}  a function has ${excess}`);
    process.exitCode = 1;
  }
}
