import { isDeepStrictEqual } from 'node:util';
import type { Api, JsonSchema } from './openapi.ts';

type Resolve = Api['resolve'];

const patterns = new Map<string, RegExp>();

/** Where and how a value differs from its schema, such as `data.0.id: no string`; undefined if it fits. */
export function findMismatch(
  reference: JsonSchema,
  value: unknown,
  resolve: Resolve,
  path = '',
): string | undefined {
  const schema = resolve(reference);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) {
    const found = alternatives.map((one) => findMismatch(one, value, resolve, path));
    const fitting = found.filter((mismatch) => mismatch === undefined).length;
    if (schema.oneOf ? fitting === 1 : fitting > 0) return undefined;
    return fitting > 1 ? `${path}: fits ${fitting} alternatives` : found.join(' | ');
  }
  if ('const' in schema && !isDeepStrictEqual(value, schema.const))
    return `${path}: not ${JSON.stringify(schema.const)}`;
  if (schema.enum && !schema.enum.includes(value)) return `${path}: not one of the listed values`;
  switch (schema.type) {
    case 'object':
      return findObjectMismatch(schema, value, resolve, path);
    case 'array':
      return findArrayMismatch(schema, value, resolve, path);
    case 'string':
      return typeof value === 'string'
        ? findTextMismatch(schema, value, path)
        : `${path}: no string`;
    case 'integer':
    case 'number':
      return findNumberMismatch(schema, value, path);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${path}: no boolean`;
    case 'null':
      return value === null ? undefined : `${path}: not null`;
    default:
      return undefined;
  }
}

function findObjectMismatch(
  { properties = {}, required = [], additionalProperties = true }: JsonSchema,
  value: unknown,
  resolve: Resolve,
  path: string,
): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `${path}: no object`;
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${path}.${missing}: missing`;
  for (const [name, field] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (schema === false) return `${path}.${name}: not documented`;
    const mismatch =
      typeof schema === 'object'
        ? findMismatch(schema, field, resolve, `${path}.${name}`)
        : undefined;
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function findArrayMismatch(
  { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: JsonSchema,
  value: unknown,
  resolve: Resolve,
  path: string,
): string | undefined {
  if (!Array.isArray(value)) return `${path}: no array`;
  if (value.length < minItems || value.length > maxItems) return `${path}: ${value.length} items`;
  for (const item of value) {
    // Without the number, so that the same defect of two items counts once.
    const mismatch = findMismatch(items, item, resolve, `${path}[]`);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function findTextMismatch(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format }: JsonSchema,
  value: string,
  path: string,
): string | undefined {
  const { length } = [...value];
  if (length < minLength || length > maxLength) return `${path}: ${length} characters`;
  if (pattern !== undefined && !toRegExp(pattern).test(value)) return `${path}: not the pattern`;
  if (format === 'date-time' && !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value))
    return `${path}: no instant in UTC`;
  if (format === 'uri' && !URL.canParse(value, 'http://linework.test'))
    return `${path}: no address`;
  return undefined;
}

function findNumberMismatch(
  { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: JsonSchema,
  value: unknown,
  path: string,
): string | undefined {
  if (typeof value !== 'number') return `${path}: no number`;
  if (type === 'integer' && !Number.isInteger(value)) return `${path}: no integer`;
  return value < minimum || value > maximum ? `${path}: ${value} is out of range` : undefined;
}

function toRegExp(pattern: string): RegExp {
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, known);
  return known;
}
