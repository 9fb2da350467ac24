// The parts that the checks of our own code share.
import { globSync, readFileSync } from 'node:fs';

/** A line that breaks a rule. */
export interface Finding {
  readonly line: number;
  /** What is wrong, in words. */
  readonly message: string;
}

/** Checks each file of a glob pattern, and prints the findings; if there are any, the process fails. */
export function checkFiles(
  pattern: string,
  findIn: (file: string, code: string) => readonly Finding[],
  exclude: readonly string[] = [],
): void {
  for (const file of globSync(pattern, { exclude }).toSorted())
    printFindings(file, findIn(file, readFileSync(file, 'utf8')));
}

/** Prints the findings of a file; if there are any, the process fails. */
export function printFindings(file: string, findings: readonly Finding[]): void {
  for (const { line, message } of findings) console.log(`${file}:${line}  ${message}`);
  if (findings.length > 0) process.exitCode = 1;
}

/** The code of a file: of an `.astro` file only that between its `---` and in its `<script>`s, on the same lines. */
export function scriptOf(file: string, code: string): string {
  if (!file.endsWith('.astro')) return code;
  return code.replaceAll(
    /(^---$.*?^---$|<script>.*?<\/script>)|[^\n]/gms,
    (_, script: string | undefined) => script?.replaceAll(/^---$|<\/?script>/gm, '') ?? '',
  );
}
