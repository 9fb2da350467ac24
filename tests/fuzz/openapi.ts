/** The API as its OpenAPI document describes it. */
import * as z from 'zod';

/** The keywords of JSON Schema that our document uses. */
export interface JsonSchema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly oneOf?: readonly JsonSchema[] | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: boolean | JsonSchema | undefined;
  readonly items?: JsonSchema | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly pattern?: string | undefined;
  readonly format?: string | undefined;
  readonly contentMediaType?: string | undefined;
}

/** Strict, so that a keyword that we would not check fails the run. */
const JsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.strictObject({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    anyOf: z.array(JsonSchema).optional(),
    oneOf: z.array(JsonSchema).optional(),
    properties: z.record(z.string(), JsonSchema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), JsonSchema]).optional(),
    items: JsonSchema.optional(),
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
  }),
);

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
}

/** Reads the OpenAPI document of a server. */
export async function readApi(origin: string): Promise<Api> {
  const response = await fetch(`${origin}/api/v1/openapi.json`);
  const { paths, components } = OpenApiDocument.parse(await response.json());
  const resolve = (schema: JsonSchema): JsonSchema => {
    if (typeof schema.type === 'object')
      return { anyOf: schema.type.map((type) => ({ ...schema, type })) };
    if (schema.$ref === undefined) return schema;
    const found = components.schemas[schema.$ref.replace('#/components/schemas/', '')];
    if (!found) throw new Error(`The document has no ${schema.$ref}`);
    return resolve(found);
  };
  return {
    operations: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
      })),
    ),
    resolve,
  };
}
