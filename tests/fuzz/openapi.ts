/** The API as its OpenAPI document describes it. */
import * as z from 'zod';

/** The keywords of JSON Schema in our document. Strict, so that a keyword that we would not check fails the run. */
const JsonSchema = z.strictObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  get anyOf() {
    return z.optional(z.array(JsonSchema));
  },
  get oneOf() {
    return z.optional(z.array(JsonSchema));
  },
  get properties() {
    return z.optional(z.record(z.string(), JsonSchema));
  },
  required: z.array(z.string()).optional(),
  get additionalProperties() {
    return z.optional(z.union([z.boolean(), JsonSchema]));
  },
  get items() {
    return z.optional(JsonSchema);
  },
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
  contentMediaType: z.string().optional(),
  // They say nothing about which values are valid.
  description: z.string().optional(),
  default: z.unknown().optional(),
  examples: z.array(z.unknown()).optional(),
});
export type JsonSchema = z.output<typeof JsonSchema>;

const Content = z.record(z.string(), z.object({ schema: JsonSchema }));

const Operation = z.object({
  operationId: z.string(),
  security: z.array(z.unknown()),
  parameters: z
    .array(
      z.object({
        in: z.enum(['path', 'query', 'header']),
        name: z.string(),
        required: z.boolean().optional(),
        schema: JsonSchema,
      }),
    )
    .default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content.optional() })),
});

const OpenApiDocument = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), JsonSchema) }),
});

export interface ApiOperation extends z.output<typeof Operation> {
  /** In capitals. */
  readonly method: string;
  /** Such as `/api/v1/services/{service_id}`. */
  readonly path: string;
}

export interface Api {
  readonly operations: readonly ApiOperation[];
  /** Follows `$ref`, and makes an alternative of each type. */
  resolve(schema: JsonSchema): JsonSchema;
  /** Where and how a value differs from its schema; undefined if it fits. */
  findMismatch(schema: JsonSchema, value: unknown): string | undefined;
}

const REFERENCES = '#/components/schemas/';

/** Reads the OpenAPI document of a server. */
export async function readApi(origin: string): Promise<Api> {
  const response = await fetch(`${origin}/api/v1/openapi.json`);
  const { paths, components } = OpenApiDocument.parse(await response.json());
  const resolve = (schema: JsonSchema): JsonSchema => {
    if (typeof schema.type === 'object')
      return { anyOf: schema.type.map((type) => ({ ...schema, type })) };
    if (schema.$ref === undefined) return schema;
    const found = components.schemas[schema.$ref.replace(REFERENCES, '')];
    if (!found) throw new Error(`The document has no ${schema.$ref}`);
    return resolve(found);
  };
  const validators = new Map<string, z.ZodType>();
  return {
    operations: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
      })),
    ),
    resolve,
    findMismatch(schema, value) {
      const key = JSON.stringify(schema);
      const validator = validators.get(key) ?? toValidator(schema, components.schemas);
      validators.set(key, validator);
      const [issue] = validator.safeParse(value).error?.issues ?? [];
      // Without the numbers of items, so that the same defect of two items counts once.
      const path = issue?.path.map((part) => (typeof part === 'number' ? '[]' : part)).join('.');
      return issue && `${path}: ${issue.message}`;
    },
  };
}

function toValidator(schema: JsonSchema, $defs: Readonly<Record<string, JsonSchema>>): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs })
    .replaceAll(REFERENCES, '#/$defs/')
    // The API writes each instant in UTC.
    .replaceAll('"format":"date-time"', '"format":"date-time","pattern":"Z$"');
  return z.fromJSONSchema(JSON.parse(text));
}
