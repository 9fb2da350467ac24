/** Formats JSON schemas as TypeScript types, in HTML. */
import { html, raw } from 'hono/html';
import type { Schema } from './openapi_types.ts';

/** HTML that `html` has made, in which values are escaped. */
export type Html = ReturnType<typeof html>;

/** Formats a schema; references become links. `indent` precedes every line after the first. */
export function formatType(schema: Schema, indent = ''): Html {
  if (schema.$ref !== undefined) return linkToSchema(schema.$ref);
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  if (schema.enum) return html`${schema.enum.map((value) => JSON.stringify(value)).join(' | ')}`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices)
    return joinHtml(
      choices.map((choice) => formatType(choice, indent)),
      ' | ',
    );
  if (schema.items) return formatArray(schema.items, indent);
  if (schema.properties) return formatObject(schema, indent);
  return html`${[schema.type ?? 'unknown'].flat().join(' | ')}`;
}

/** The description (or else the format), limits, default and examples of a schema. */
export function formatRemarks(schema: Schema): string {
  const { description, format, minimum, maximum, maxLength, maxItems, examples } = schema;
  const remarks = [
    // A description, such as "A date, YYYY-MM-DD", names the format already.
    description || format,
    isRealLimit(minimum) ? `at least ${minimum}` : '',
    isRealLimit(maximum) ? `at most ${maximum}` : '',
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    maxItems === undefined ? '' : `at most ${maxItems} items`,
    schema.default === undefined ? '' : `${JSON.stringify(schema.default)} unless given`,
    examples?.length ? `such as ${examples.map((value) => JSON.stringify(value)).join(', ')}` : '',
  ];
  return remarks.filter(Boolean).join('; ');
}

/** The HTML id of a named schema on the page. */
export function schemaId(name: string): string {
  return `schema-${name}`;
}

function linkToSchema(reference: string): Html {
  const name = reference.replace(/^.*\//, '');
  return html`<a href="#${schemaId(name)}">${name}</a>`;
}

function formatArray(items: Schema, indent: string): Html {
  const text = formatType(items, indent);
  const isUnion = items.anyOf || items.oneOf || items.enum || Array.isArray(items.type);
  return isUnion ? html`(${text})[]` : html`${text}[]`;
}

function formatObject({ properties = {}, required = [] }: Schema, indent: string): Html {
  const innerIndent = `${indent}  `;
  const lines = Object.entries(properties).map(([name, property]) => {
    // An array without a description shows the remarks of its items.
    const remarks = formatRemarks(
      property.items && !property.description ? property.items : property,
    );
    const questionMark = required.includes(name) ? '' : '?';
    const comment = remarks ? html`  <i>// ${remarks}</i>` : '';
    return html`${innerIndent}${name}${questionMark}: ${formatType(property, innerIndent)}${comment}
`;
  });
  return html`{
${joinHtml(lines, '')}${indent}}`;
}

/** False for the smallest and largest safe integer: zod gives these bounds to every integer. */
function isRealLimit(bound: number | undefined): boolean {
  return bound !== undefined && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;
}

/** Joins parts that are HTML already, so they are not escaped again. */
function joinHtml(parts: readonly Html[], separator: string): Html {
  return raw(parts.map(String).join(separator));
}
