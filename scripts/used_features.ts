// Finds the features of MDN's compatibility data that a built script or style uses, by their names.
import bcd from '@mdn/browser-compat-data' with { type: 'json' };
import type { Identifier } from '@mdn/browser-compat-data';
import { type AnyNode, type MemberExpression, parse as parseScript } from 'acorn';
import { full as visitScript } from 'acorn-walk';
import type { Atrule, Block, CssNode } from 'css-tree';
import { generate, parse as parseStyle, walk as visitStyle } from 'css-tree';

/** One meaning of a name: `.at` may be that of a string or of a list. */
interface Meaning {
  readonly feature: Identifier;
  /** Whether the name can mean nothing else, so that browsers without the feature count as too old. */
  readonly isExact?: boolean;
  /** The class of a member. In a browser without the class, the name cannot have this meaning. */
  readonly owner?: Identifier;
}
/** The meanings of each name, such as `Map.groupBy`, `.toArray`, `:has` and `text-wrap: balance`. */
export type UsedFeatures = Map<string, readonly Meaning[]>;

const { api, css, html, javascript } = bcd;
const BUILTINS = javascript['builtins'] ?? {};
const PROPERTIES = css['properties'] ?? {};
const MEDIA = css['at-rules']?.['media'] ?? {};
const CONTAINER = css['at-rules']?.['container'] ?? {};
/** The version of ECMAScript that Safari 16.4, Chrome 111 and Firefox 115 parse. */
const ECMA_VERSION = 2022;
const WORDS = /[a-z][\w-]*/gi;
const SELECTOR_METHODS = ['querySelector', 'querySelectorAll', 'matches', 'closest'];
/** MDN lists these units by kind. */
const UNIT_KINDS: readonly [RegExp, string][] = [
  [/^cq/, 'container_query_length_units'],
  [/^dv/, 'viewport_percentage_units_dynamic'],
  [/^lv/, 'viewport_percentage_units_large'],
  [/^sv/, 'viewport_percentage_units_small'],
];
const MEMBERS = groupMembers();
const ATTRIBUTES = groupByName([html['global_attributes'], ...partsOf(html['elements'])]);
const FUNCTIONS = groupByName([css['types'], ...partsOf(css['types'])]);

/**
 * The features of a script: globals, members, attributes of JSX, and the selectors of calls such as `querySelector`.
 * @throws SyntaxError for syntax or a regular expression newer than ES2022
 */
export function featuresOfScript(code: string): UsedFeatures {
  const used: UsedFeatures = new Map();
  const tree = parseScript(code, { ecmaVersion: ECMA_VERSION, sourceType: 'module' });
  visitScript(tree, (node, _, type) => {
    if (node.type === 'Identifier' && type === 'Identifier')
      addExact(used, node.name, globalNamed(node.name));
    if (node.type === 'MemberExpression') addMember(used, node);
    if (node.type === 'VariableDeclarator' && node.id.type === 'ObjectPattern')
      for (const part of node.id.properties)
        if (part.type === 'Property') addStatic(used, nameOf(node.init), keyOf(part));
    if (node.type === 'Property') {
      const name = keyOf(node);
      addMeanings(used, `attribute ${name}`, ATTRIBUTES.get(name.toLowerCase()));
    }
    // The build writes a literal with the flag `v` as `new RegExp(…, 'v')`.
    if (node.type === 'NewExpression' && nameOf(node.callee) === 'RegExp')
      if (textOf(node.arguments[1]).includes('v'))
        add(used, 'RegExp with the flag v', BUILTINS['RegExp']?.['unicodeSets']);
    addStyle(used, parseStyle(selectorsOf(node), { context: 'selectorList' }));
  });
  return used;
}

/**
 * The features of a style: properties, their keywords, functions, units, selectors, at-rules and media features.
 * Leaves out features with a fallback: inside `@supports` that names it, after a declaration of the same property,
 * in `:is()` or `:where()` with another selector, because they ignore unknown ones, and with a vendor's prefix.
 */
export function featuresOfStyle(code: string): UsedFeatures {
  const used: UsedFeatures = new Map();
  addStyle(used, parseStyle(code, { parseCustomProperty: true }));
  return used;
}

function addStyle(used: UsedFeatures, tree: CssNode): void {
  visitStyle(tree, function (node) {
    if (hasFallback(node, this.block, this.rule?.prelude ?? tree)) return visitStyle.skip;
    const property = this.declaration?.property ?? '';
    // The parser does not read a nested rule that begins without `&`.
    const isUnread = node.type === 'Raw' && node.value.includes('{') && !property.startsWith('--');
    if ((node.type === 'Rule' || node.type === 'Atrule' || isUnread) && this.rule)
      add(used, 'nesting', css['selectors']?.['nesting']);
    if (node.type === 'Atrule' && node.name === 'supports') {
      addUntested(used, node);
      return visitStyle.skip;
    }
    if (node.type === 'PseudoClassSelector' || node.type === 'PseudoElementSelector')
      add(used, `:${node.name}`, css['selectors']?.[node.name]);
    if (node.type === 'Atrule') add(used, `@${node.name}`, css['at-rules']?.[node.name]);
    if (node.type === 'FeatureFunction' && node.kind === 'container')
      add(used, '@container style()', CONTAINER['style_queries_for_custom_properties']);
    if (node.type === 'FeatureRange' && node.kind === 'media')
      add(used, 'range in @media', MEDIA['range_syntax']);
    if (node.type === 'Feature' && node.kind === 'media') {
      if (/^(<|>)/.test(node.name)) add(used, 'range in @media', MEDIA['range_syntax']);
      add(used, `@media (${node.name})`, MEDIA[node.name]);
    }
    if (node.type === 'Declaration') add(used, node.property, PROPERTIES[node.property]);
    if (node.type === 'Identifier' && this.declaration) {
      // MDN's data of this word in `transition` is that of the property.
      const owner = node.name === 'allow-discrete' ? 'transition-behavior' : property;
      add(used, `${property}: ${node.name}`, PROPERTIES[owner]?.[node.name]);
    }
    if (node.type === 'Identifier' && /^(from|in)$/.test(node.name))
      for (const { feature } of FUNCTIONS.get(this.function?.name ?? '') ?? []) {
        const part =
          feature[node.name === 'from' ? 'relative_syntax' : 'interpolation_color_space'];
        add(used, `${this.function?.name}(${node.name} …)`, part);
      }
    if (node.type === 'Operator' && node.value === '/')
      add(used, `${property}: … / …`, PROPERTIES[property]?.['alt_text']);
    if (node.type === 'Function') addMeanings(used, `${node.name}()`, FUNCTIONS.get(node.name));
    if (node.type === 'Dimension') {
      const kind = UNIT_KINDS.find(([pattern]) => pattern.test(node.unit))?.[1] ?? node.unit;
      add(used, node.unit, css['types']?.['length']?.[kind]);
    }
    return undefined;
  });
}

/** Adds the features inside an `@supports` that its condition does not test: `balance` tests `text-wrap: balance`. */
function addUntested(used: UsedFeatures, { prelude, block }: Atrule): void {
  const inside: UsedFeatures = new Map();
  if (block) addStyle(inside, block);
  const condition = prelude ? generate(prelude) : '';
  const tested = new Set<string>(/(^|[\s(])not[\s(]/.test(condition) ? [] : condition.match(WORDS));
  for (const [name, meanings] of inside)
    if (!tested.has(name.match(WORDS)?.at(-1) ?? '')) used.set(name, meanings);
}

/** Whether a browser that does not know a part of a style uses something else, or has its own name for it. */
function hasFallback(node: CssNode, block: Block | null, selectors: CssNode): boolean {
  const isChoice = (list: CssNode) => list.type === 'SelectorList' && list.children.size > 1;
  if (node.type === 'PseudoClassSelector')
    return /^(is|where)$/.test(node.name) && [selectors, ...(node.children ?? [])].some(isChoice);
  if (node.type === 'PseudoElementSelector') return node.name.startsWith('-');
  if (node.type !== 'Declaration' || node.property.startsWith('--')) return false;
  if (node.property.startsWith('-')) return true;
  const earlier = block?.children.toArray() ?? [];
  return earlier
    .slice(0, earlier.indexOf(node))
    .some(
      (one) =>
        one.type === 'Declaration' && one.property.replace(/^-[a-z]+-/, '') === node.property,
    );
}

function addMember(used: UsedFeatures, { object, property, computed }: MemberExpression): void {
  const name = keyOf({ key: property, computed });
  if (!addStatic(used, nameOf(object), name)) addMeanings(used, `.${name}`, MEMBERS.get(name));
}

/** @returns whether a global of that name has the member */
function addStatic(used: UsedFeatures, owner: string, name: string): boolean {
  const exact = /^(globalThis|window|self)$/.test(owner)
    ? globalNamed(name)
    : (BUILTINS[owner]?.[name] ?? api[owner]?.[`${name}_static`]);
  addExact(used, `${owner}.${name}`, exact);
  return exact !== undefined;
}

function globalNamed(name: string): Identifier | undefined {
  return api[name] ?? BUILTINS[name] ?? api['Window']?.[name];
}

/** The name of the last part: `AbortSignal` of `globalThis.AbortSignal`; `Iterator` of `map.values()`; else ''. */
function nameOf(node: AnyNode | null | undefined): string {
  if (node?.type === 'Identifier') return node.name;
  if (node?.type === 'MemberExpression')
    return keyOf({ key: node.property, computed: node.computed });
  if (node?.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return '';
  // `Object.values()` and its like return arrays.
  const isObject = nameOf(node.callee.object) === 'Object';
  return !isObject && /^(values|keys|entries)$/.test(nameOf(node.callee)) ? 'Iterator' : '';
}

/** `groupBy` of `Object.groupBy`, `Object['groupBy']` and `{ groupBy }`; '' if it is computed. */
function keyOf({ key, computed }: { key: AnyNode; computed: boolean }): string {
  return computed || key.type === 'Literal' ? textOf(key) : nameOf(key);
}

/** The selectors of a call such as `element.closest('dialog')`. */
function selectorsOf(node: AnyNode): string {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return '';
  const [selectors] = SELECTOR_METHODS.includes(nameOf(node.callee)) ? node.arguments : [];
  if (selectors?.type !== 'TemplateLiteral') return textOf(selectors);
  return selectors.quasis.map(({ value }) => value.cooked).join('x');
}

/** A string, also one that the minifier has put in backticks; '' for all else. */
function textOf(node: AnyNode | undefined): string {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : '';
  return node?.type === 'TemplateLiteral' && node.expressions.length === 0
    ? (node.quasis[0]?.value.raw ?? '')
    : '';
}

function add(used: UsedFeatures, name: string, feature: Identifier | undefined): void {
  if (feature) used.set(name, [{ feature }]);
}

function addExact(used: UsedFeatures, name: string, feature: Identifier | undefined): void {
  if (feature) used.set(name, [{ feature, isExact: true }]);
}

function addMeanings(used: UsedFeatures, name: string, meanings: readonly Meaning[] = []): void {
  if (meanings.length > 0) used.set(name, meanings);
}

/** The members of all classes, by their names. */
function groupMembers(): Map<string, Meaning[]> {
  const groups = new Map<string, Meaning[]>();
  for (const [className, owner] of [BUILTINS, BUILTINS['Intl'], api].flatMap(entriesOf))
    for (const [key, feature] of entriesOf(owner)) {
      const name = key.replace(/_static$/, '');
      // Every iterator has the methods of the new class.
      const meaning = className === 'Iterator' ? { feature } : { feature, owner };
      groups.set(name, [...(groups.get(name) ?? []), meaning]);
    }
  return groups;
}

function groupByName(parents: readonly (Identifier | undefined)[]): Map<string, Meaning[]> {
  const groups = new Map<string, Meaning[]>();
  for (const [name, feature] of parents.flatMap(entriesOf))
    groups.set(name, [...(groups.get(name) ?? []), { feature }]);
  return groups;
}

function partsOf(parent: Identifier | undefined): Identifier[] {
  return entriesOf(parent).map(([, part]) => part);
}

/** The parts of a feature, by name. */
function entriesOf(parent: Identifier | undefined): [string, Identifier][] {
  return Object.keys(parent ?? {}).flatMap((name): [string, Identifier][] => {
    const part = parent?.[name];
    return part && name !== '__compat' ? [[name, part]] : [];
  });
}
