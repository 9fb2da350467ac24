import { html, raw } from 'hono/html';
import type { Schema } from './openapi_types.ts';

type Html = ReturnType<typeof html>;

/** A schema in the notation of TypeScript, with a link to each schema that has a name. */
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

/** What a schema says beyond its type: a description, limits, a default, an example. */
export function formatRemarks(schema: Schema): string {
  const {
    description,
    format,
    minimum,
    maximum,
    maxLength,
    maxItems,
    examples,
    default: preset,
  } = schema;
  return [
    ...(description ? [description] : []),
    // A description such as "A date, YYYY-MM-DD" says it already.
    ...(format && !description ? [format] : []),
    ...(isRealLimit(minimum) ? [`at least ${minimum}`] : []),
    ...(isRealLimit(maximum) ? [`at most ${maximum}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} items`]),
    ...(preset === undefined ? [] : [`${JSON.stringify(preset)} unless given`]),
    ...(examples?.length
      ? [`such as ${examples.map((one) => JSON.stringify(one)).join(', ')}`]
      : []),
  ].join('; ');
}

/** The address of a named schema on the page. */
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
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, property]) => {
    const remarks = formatRemarks(
      property.items && !property.description ? property.items : property,
    );
    const mark = required.includes(name) ? '' : '?';
    const remark = remarks ? html`  <i>// ${remarks}</i>` : '';
    return html`${inner}${name}${mark}: ${formatType(property, inner)}${remark}
`;
  });
  return html`{
${joinHtml(lines, '')}${indent}}`;
}

/** Every integer of JSON has these bounds; they tell a reader nothing. */
function isRealLimit(bound: number | undefined): boolean {
  return bound !== undefined && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;
}

function joinHtml(parts: readonly Html[], separator: string): Html {
  return raw(parts.map(String).join(separator));
}
