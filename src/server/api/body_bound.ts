/** How long the body of a call may be: as long as its schema allows. */
import * as z from 'zod/mini';

/** The least limit of a body: besides the fields it may have spaces, and unknown fields that the answer names. */
const LEAST_BYTES = 16 * 1024;
/** The bytes of one UTF-16 code unit as `\u20ac` in JSON, and as `%E2%82%AC` in a form. */
const ESCAPED_BYTES = { json: 6, form: 9 };
/** The characters of a text without a `maxLength`: by its format, or else `PATTERN_LENGTH`. */
const FORMAT_LENGTHS: Readonly<Record<string, number>> = { date: 10, 'date-time': 64, uuid: 36 };
const PATTERN_LENGTH = 254;
/** The most bytes of a number, `false` or `null`. */
const VALUE_BYTES = 32;

const bounds = new WeakMap<z.core.$ZodType, number>();

/**
 * The bytes of the longest legal body with every character escaped, at least 16 KB.
 * @throws Error when the schema has a list without a limit, which is a mistake in our code
 */
export function maxBodyBytes(schema: z.core.$ZodType, kind: 'json' | 'form'): number {
  const known = bounds.get(schema);
  if (known !== undefined) return known;
  const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const bound = Math.max(LEAST_BYTES, longest(document, document.$defs ?? {}, ESCAPED_BYTES[kind]));
  bounds.set(schema, bound);
  return bound;
}

type AnySchema = z.core.JSONSchema._JSONSchema;

/**
 * The bytes of the longest JSON that matches a schema. A form counts like JSON, with other bytes a character.
 * @param definitions the schemas to which a `$ref` refers, by name
 */
function longest(
  schema: AnySchema | undefined,
  definitions: Readonly<Record<string, AnySchema>>,
  bytesPerCharacter: number,
): number {
  // `true` as a schema allows every value.
  if (typeof schema !== 'object') return VALUE_BYTES;
  const longestOf = (part: AnySchema | undefined) => longest(part, definitions, bytesPerCharacter);
  const { $ref, properties, items, maxItems } = schema;
  if ($ref !== undefined) return longestOf(definitions[$ref.replace('#/$defs/', '')]);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return Math.max(...choices.map(longestOf));
  if (properties) {
    let bytes = '{}'.length;
    for (const [name, value] of Object.entries(properties))
      bytes += `"${name}":,`.length + longestOf(value);
    return bytes;
  }
  if (items !== undefined && !Array.isArray(items)) {
    if (maxItems === undefined) throw new Error(`A list has no limit: ${JSON.stringify(schema)}`);
    return '[]'.length + maxItems * (longestOf(items) + ','.length);
  }
  // `type` may be a list of types.
  if (![schema.type].flat().includes('string')) return VALUE_BYTES;
  return '""'.length + bytesPerCharacter * longestText(schema);
}

/** The characters of the longest text that matches a schema. */
function longestText(schema: z.core.JSONSchema.JSONSchema): number {
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (values) return Math.max(...values.map((value) => String(value).length));
  return schema.maxLength ?? FORMAT_LENGTHS[schema.format ?? ''] ?? PATTERN_LENGTH;
}
