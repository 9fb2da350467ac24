/** The form of an OpenAPI document, as far as the page of the API docs shows it. */
import * as z from 'zod/mini';

/** A JSON schema. The getters allow a schema to contain other schemas. */
export const Schema = z.object({
  $ref: z.optional(z.string()),
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  const: z.optional(z.unknown()),
  enum: z.optional(z.array(z.unknown())),
  format: z.optional(z.string()),
  description: z.optional(z.string()),
  default: z.optional(z.unknown()),
  examples: z.optional(z.array(z.unknown())),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  maxLength: z.optional(z.number()),
  maxItems: z.optional(z.number()),
  required: z.optional(z.array(z.string())),
  get properties() {
    return z.optional(z.record(z.string(), Schema));
  },
  get items() {
    return z.optional(Schema);
  },
  get anyOf() {
    return z.optional(z.array(Schema));
  },
  get oneOf() {
    return z.optional(z.array(Schema));
  },
});
export type Schema = z.infer<typeof Schema>;

/** The content of a request or response; the keys are media types. */
const Content = z.record(
  z.string(),
  z.object({ schema: z.optional(Schema), example: z.optional(z.unknown()) }),
);
const Parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.optional(z.boolean()),
  schema: Schema,
});
export type Parameter = z.infer<typeof Parameter>;

const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.optional(z.string()),
  /** Empty when the operation needs no access token. */
  security: z.array(z.unknown()),
  parameters: z.optional(z.array(Parameter)),
  requestBody: z.optional(z.object({ content: Content })),
  responses: z.record(
    z.string(),
    z.object({ description: z.string(), content: z.optional(Content) }),
  ),
});
export type Operation = z.infer<typeof Operation>;

export const OpenApiDocument = z.object({
  info: z.object({ title: z.string(), description: z.string() }),
  /** The operations by path, then by HTTP method. */
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});
export type OpenApiDocument = z.infer<typeof OpenApiDocument>;
