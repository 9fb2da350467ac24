import ts from 'typescript';
import { expect, test } from 'vitest';
import { fragileTexts } from '../../scripts/translatable_markup.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
/** Inside the project, so that it finds React's types. */
const FILE = `${ROOT}src/islands/checked.tsx`;

/** The texts that are reported in components with this code. */
function reported(code: string): string[] {
  const options: ts.CompilerOptions = {
    jsx: ts.JsxEmit.ReactJSX,
    strict: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2024,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  const source = ts.createSourceFile(FILE, code, ts.ScriptTarget.ES2024, true, ts.ScriptKind.TSX);
  host.getSourceFile = (name, ...rest) =>
    name === FILE ? source : getSourceFile.call(host, name, ...rest);
  host.fileExists = (name) => name === FILE || fileExists.call(host, name);
  host.readFile = (name) => (name === FILE ? code : readFile.call(host, name));
  const program = ts.createProgram([FILE], options, host);
  return fragileTexts(source, program.getTypeChecker()).map(
    ({ line, message }) => `${line} ${message.replace('text beside other children: ', '')}`,
  );
}

test('text with siblings is reported, whatever kind of text it is', () => {
  const code = `
declare const name: string, count: number, isOpen: boolean, lines: string[];
export const Mixed = () => <p>Hello <b>you</b></p>;
export const Two = () => <p>{name}{count}</p>;
export const Conditional = () => <p>{isOpen && 'Open'}<b>now</b></p>;
export const Space = () => <p><b>a</b>{' '}<b>b</b></p>;
export const Many = () => <p><b>a</b>{lines}</p>;`;
  expect(reported(code)).toEqual([
    '3 Hello',
    '4 {name}',
    '4 {count}',
    "5 {isOpen && 'Open'}",
    "6 {' '}",
    '7 {lines}',
  ]);
});

test('text that is the only child of an element is not reported, nor are elements', () => {
  const code = `
declare const name: string | null, isOpen: boolean, error: string;
export const Only = () => <p>{isOpen ? name : 'Closed'}</p>;
export const Spread = () => (
  <p>
    {/* A comment. */}
    Hello
  </p>
);
export const Elements = () => <p><b>{name}</b>{isOpen && <i>open</i>}{error && <i>{error}</i>}</p>;`;
  expect(reported(code)).toEqual([]);
});

test('text that has no element of its own is reported, in fragments and components', () => {
  const code = `
import type { ReactNode } from 'react';
export const Fragment = () => <p><b>a</b><>text</></p>;
export function Bare({ name }: { name: string }) { return name; }
export function Frame({ children }: { children: ReactNode }) { return <div><b>a</b>{children}</div>; }
export function Whole({ children }: { children: ReactNode }) { return <div>{children}</div>; }`;
  expect(reported(code)).toEqual(['3 text', '4 name', '5 {children}']);
});
