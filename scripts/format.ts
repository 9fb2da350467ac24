// `npm run format`: writes what is generated from lists in the code, then formats the code.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { settingsAsMarkdown } from '../src/server/settings/settings.ts';
import { importTable } from './rooms.ts';

/** The files with generated parts, by path, with the text that they should have. */
export function generateFiles(): ReadonlyMap<string, string> {
  const read = (path: string) => readFileSync(path, 'utf8');
  return new Map([
    ['docs/architecture.md', replacePart(read('docs/architecture.md'), 'rooms', importTable())],
    ['docs/settings.md', replacePart(read('docs/settings.md'), 'settings', settingsAsMarkdown())],
  ]);
}

/** Replaces the text between the comments that name a part of a document. */
function replacePart(document: string, part: string, text: string): string {
  const start = `<!-- ${part}: written by npm run format -->\n`;
  const end = `<!-- /${part} -->`;
  const [before, rest] = document.split(start);
  const [, after] = rest?.split(end) ?? [];
  if (after === undefined) throw new Error(`A document has no ${start}${end}`);
  return `${before}${start}${text}\n${end}${after}`;
}

if (import.meta.main) {
  for (const [path, text] of generateFiles()) writeFileSync(path, text);
  process.exitCode =
    spawnSync('biome', ['check', '--write', '.'], { stdio: 'inherit' }).status ?? 1;
}
