import { expect, test } from 'vitest';
import { globalNames, shadowedGlobals } from '../../scripts/global_names.ts';

const GLOBALS = globalNames();

/** The reported names, as `line name`. */
function reported(code: string, file = 'src/domain/a.ts'): string[] {
  return shadowedGlobals(file, code, GLOBALS).map(
    ({ line, message }) => `${line} ${message.split(' ')[0]}`,
  );
}

test('globals are those of TypeScript, the DOM and Node, without names that need an import', () => {
  const owners = ['Pick', 'Promise', 'Window', 'close', 'Buffer', 'process', 'readFile', 'expect'];
  expect(owners.map((name) => GLOBALS.get(name))).toEqual([
    'TypeScript',
    'TypeScript',
    'the DOM',
    'the DOM',
    'Node',
    'Node',
    undefined,
    undefined,
  ]);
});

test.each([
  [
    'a type with the name of a global, exported or not',
    `export interface Window { readonly start: number }
    type Pick = string;
    export class Worker {}
    function inner() { type Range = string; }
    interface Slot {}`,
    ['1 Window', '2 Pick', '3 Worker', '4 Range'],
  ],
  [
    'an export with the name of a global',
    `export function open() {}
    export const close = 1, { name, url: [status] } = given;
    export { confirm } from './a.ts';
    export { one as stop };
    export * as history from './a.ts';`,
    ['1 open', '2 close', '2 name', '2 status', '3 confirm', '4 stop', '5 history'],
  ],
  [
    'an import with the name of a global, unless it is renamed',
    `import { setTimeout } from 'node:timers/promises';
    import { setTimeout as sleep } from 'node:timers/promises';
    import Image, { type Text } from './a.ts';
    import * as crypto from './a.ts';`,
    ['1 setTimeout', '3 Image', '3 Text', '4 crypto'],
  ],
  [
    'no local, parameter or field',
    `const name = 1;
    function open(status: string) { const location = status; return location; }
    export const page = { close: 1, open, name };
    export interface Studio { readonly location: string; open(): void }
    declare global { interface Window { readonly ours: string } }`,
    [],
  ],
  [
    'an established name of a library unless it comes from there',
    `import { screen } from '@testing-library/react';
    import { screen } from './a.ts';`,
    ['2 screen'],
  ],
])('reported is %s', (_, code, names) => {
  expect(reported(code)).toEqual(names);
});

test('the frontmatter of an Astro file is checked, with line numbers of the file', () => {
  const code =
    "---\nimport Note from './Note.astro';\nimport Image from './Image.astro';\n---\n<Image />";
  expect(reported(code, 'src/pages/a.astro')).toEqual(['3 Image']);
});
