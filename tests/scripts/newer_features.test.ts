import data from '@mdn/browser-compat-data' with { type: 'json' };
import { expect, test } from 'vitest';
import { BROWSER_FLOORS, BROWSERS } from '../../scripts/browser_floors.ts';
import { firstVersion, listProblems } from '../../scripts/newer_features.ts';

/** The features that are too new for pages of clients, or for the studio. */
function newerIn(file: string, code: string, group: 'clients' | 'studio' = 'clients') {
  const lines = listProblems([{ file, code, group }], []);
  return lines.map((line) => line.replace(/^.*?\): (.*?) needs .*$/, '$1'));
}

test('a problem names the file, the feature and the first version of each browser that is too old', () => {
  const code = 'Object.groupBy(list, toKey)';
  expect(listProblems([{ file: 'times.js', code, group: 'clients' }], [])).toEqual([
    'times.js (clients): Object.groupBy needs safari 17.4, safari_ios 17.4, chrome 117, edge 117, firefox 119',
  ]);
});

test.each([
  ['globalThis.Map.groupBy(list, toKey)', 'Map.groupBy'],
  ['list.values().take(3)', 'Iterator.take'],
  ["globalThis['Object'][`groupBy`](list, toKey)", 'Object.groupBy'],
  ['const { DurationFormat: Format } = Intl', 'Intl.DurationFormat'],
  [`page.querySelector(\`#\${id}:popover-open\`)`, ':popover-open'],
  ['showOpenFilePicker()', 'showOpenFilePicker'],
  ["jsx('nav', { popover: 'auto' })", 'attribute popover'],
  ["new RegExp('[a--b]', 'v')", 'RegExp with the flag v'],
  ['/[a--b]/v.test(text)', 'syntax'],
])('a script may not use what the oldest browsers lack: %s', (code, name) => {
  expect(newerIn('a.js', code)).toEqual([name]);
});

test.each([
  ['p:has(a) { margin: 0 }', ':has'],
  [':root { --ink: light-dark(#000, #fff) }', 'light-dark()'],
  ['p { & b { margin: 0 } }', 'nesting'],
  ['p { height: 2lh }', 'lh'],
  ['.required::after { content: " *" / "" }', 'content: … / …'],
  ['@media (scripting: none) { p { margin: 0 } }', '@media (scripting)'],
  ['@supports (display: grid) { p:has(a) { margin: 0 } }', ':has'],
  [
    '@supports not (color: light-dark(red, red)) { p { color: light-dark(red, red) } }',
    'light-dark()',
  ],
  [':is(a:has(b)) { margin: 0 }', ':has'],
  ['p { @media print { margin: 0 } }', 'nesting'],
  ['p { color: oklch(from red l c h) }', 'oklch(from …)'],
  ['p { background: linear-gradient(in oklab, red, blue) }', 'linear-gradient(in …)'],
  ['p { transition: display 1s allow-discrete }', 'transition: allow-discrete'],
  ['@container style(--wide: 1) { p { margin: 0 } }', '@container style()'],
])('a style may not use what the oldest browsers lack: %s', (code, name) => {
  expect(newerIn('a.css', code)).toEqual([name]);
});

test.each([
  ['a.js', 'list.toSorted().at(-1).findLast(isOpen); structuredClone(list)'],
  ['a.js', "element.closest('dialog, :is(:popover-open)')"],
  ['a.js', 'Object.values(byDay).map(toRow); const { map } = list'],
  ['a.css', '@supports selector(:has(a)) { p:has(a) { margin: 0 } }'],
  ['a.css', '@supports not (width: 1lh) { p { width: 1em } } :is(a, b:has(c)) { margin: 0 }'],
  ['a.css', 'p::after { content: " *"; content: " *" / "" }'],
  ['a.css', 'p { -webkit-mask-image: none; mask-image: none }'],
  ['a.css', 'p { background: conic-gradient(from 45deg, red, blue) }'],
  ['a.css', '@media (width >= 40rem) { p { color: color-mix(in oklab, red, blue) } }'],
])('what they have, or have a fallback for, is no problem: %s %s', (file, code) => {
  expect(newerIn(file, code)).toEqual([]);
});

test('the studio may use more; an allowed feature passes, and one that is not used is a problem', () => {
  expect(newerIn('a.js', 'Object.groupBy(list, toKey)', 'studio')).toEqual([]);
  expect(newerIn('a.css', 'p:has(a) { margin: 0 }', 'studio')).toEqual([]);
  const files = [{ file: 'a.css', code: 'p:has(a) { margin: 0 }', group: 'clients' as const }];
  const allowed = [':has', 'lh'].map((name) => ({ name, reason: 'for looks' }));
  expect(listProblems(files, allowed)).toEqual(['lh is allowed, but not used']);
});

const { api, css, javascript } = data;

// The features are those of src/components/floor_conditions.ts.
test.each([
  [
    'clients',
    [
      api['CompressionStream'],
      javascript['builtins']?.['Array']?.['toSorted'],
      css['types']?.['color']?.['lch'],
    ],
  ],
  ['studio', [api['CSS']?.['registerProperty_static'], css['types']?.['color']?.['light-dark']]],
] as const)(
  'the pages of %s tell each older browser that it is too old, and no other',
  (group, features) => {
    for (const name of BROWSERS) {
      const versions = features.map((feature) => firstVersion(feature?.__compat?.support[name]));
      expect(Math.max(...versions), name).toBe(BROWSER_FLOORS[group][name]);
    }
  },
);
