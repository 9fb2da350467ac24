import * as z from 'zod/mini';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import {
  Id,
  namedObject,
  TimestampOutput,
  type ValidationItem,
  ValidationProblem,
} from '#contract/common.ts';
import type { RefusalReason } from '#domain/refusal.ts';
import { REFUSAL_REASONS, refusalAnswer } from './error_answers.ts';
import { InvalidRequest, parseInput } from './input.ts';
import { OWNER_PROOF_REFUSALS } from './owner_proof.ts';
import type { Route } from './route.ts';

const BODY_MEDIA_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  // The only raw body is a webhook event: JSON that stays unparsed to verify its signature.
  raw: 'application/json',
};

const RESPONSE_MEDIA_TYPES = {
  json: 'application/json',
  html: 'text/html',
  jpeg: 'image/jpeg',
  zip: 'application/zip',
};

/** The refusals of every endpoint that receives pictures. */
const IMAGE_REFUSALS = [
  'file_too_large',
  'too_many_pixels',
  'too_many_whole_pixels',
  'too_many_expensive_pixels',
  'picture_too_long',
  'too_much_picture_text',
  'too_many_pictures',
  'not_a_picture',
  'upload_stalled',
  'uploads_full',
  'busy',
] as const;

/** The body of every error response except for 422. */
const Problem = namedObject('Problem', {
  detail: z.string().check(z.describe('Text for a person')),
  reason: z
    .optional(z.enum(REFUSAL_REASONS))
    .check(z.describe('For programs. Later versions may add values. A 500 has none')),
  nearest: z
    .optional(z.array(z.object({ start: TimestampOutput, end: TimestampOutput })))
    .check(z.describe('For a time that is no longer available: free times near to it')),
  alike: z
    .optional(z.array(z.object({ id: Id, name: z.string(), file_url: z.string() })))
    .check(z.describe('For a design that is no longer available: designs like it')),
  request_id: z.optional(z.string()).check(z.describe('Names the request in the server’s log')),
});

/** Creates the OpenAPI 3.1 document of the routes. Their input schemas also validate requests. */
export function createOpenApiDocument(routes: readonly Route[], productName: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    // OpenAPI writes a path parameter as `{id}`, the router as `:id`.
    const path = `/api/v1${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: `${productName} API`,
      version: '1',
      description:
        'Every path works with and without a trailing slash. Instants are RFC 3339 in UTC; an `end` instant is the last minute, included: 10:00 to 10:59 lasts one hour. A method that a path does not have is answered with 405, and `Allow` lists those that it has.',
    },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  });
}

function toOperation(route: Route): ZodOpenApiOperationObject {
  const { path, query, header, body } = route.input;
  const [, firstSegment = ''] = route.path.split('/');
  return {
    // Such as `get_users_user_id`.
    operationId: `${route.method.toLowerCase()}${route.path.replace(/[/:]+(\w)/g, (_, first) => `_${first}`)}`,
    tags: [firstSegment],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    security: route.access === 'public' ? [] : [{ bearer: [] }],
    // These schemas, if set, are objects: `instanceof` only narrows their types.
    requestParams: {
      ...(path instanceof z.ZodMiniObject && { path }),
      ...(query instanceof z.ZodMiniObject && { query }),
      ...(header instanceof z.ZodMiniObject && { header }),
    },
    ...(body && {
      requestBody: {
        required: !(body instanceof z.ZodMiniOptional),
        content: {
          [BODY_MEDIA_TYPES[route.bodyKind ?? 'json']]: {
            schema: body,
            ...(route.example !== undefined && { example: route.example }),
          },
        },
      },
    }),
    responses: toResponses(route),
  };
}

function toResponses(route: Route): ZodOpenApiResponsesObject {
  const mediaType = RESPONSE_MEDIA_TYPES[route.responseKind ?? 'json'];
  const responses: Record<string, ZodOpenApiResponseObject> = {
    [route.status]: route.response
      ? { description: 'Success', content: { [mediaType]: { schema: route.response } } }
      : { description: 'Done' },
  };
  if (Object.keys(route.input).length > 0) {
    const example = { detail: [exampleValidationItem(route)] };
    responses[422] = {
      description: 'Invalid input; `detail` lists every error',
      content: { 'application/json': { schema: ValidationProblem, example } },
    };
  }
  const reasonsByStatus = Map.groupBy(refusalsOf(route), (reason) => refusalAnswer(reason).status);
  for (const [status, reasons] of reasonsByStatus) {
    const answers = reasons.map((reason) => ({ reason, detail: refusalAnswer(reason).detail }));
    const examples = Object.fromEntries(
      answers.map(({ reason, detail }) => [reason, { value: { detail, reason } }]),
    );
    responses[status] = {
      description: answers.map(({ detail }) => detail).join(' / '),
      content: { 'application/json': { schema: Problem, examples } },
    };
  }
  return responses;
}

/** An example error: the first error that the validation finds in one of two wrong requests. */
function exampleValidationItem({ input }: Route): ValidationItem {
  const schema = z.object<Record<string, z.core.$ZodType>>({ ...input });
  // An empty input lacks the required fields; an unknown field is an error in most bodies.
  for (const wrong of [{}, { unknown: null }]) {
    try {
      parseInput(schema, { path: wrong, query: wrong, header: wrong, body: wrong });
    } catch (error) {
      const [item] = error instanceof InvalidRequest ? error.items : [];
      if (item) return item;
    }
  }
  // The schemas accept both requests, so invent an error of the first field.
  const [part = 'query', fields] = Object.entries(input)[0] ?? [];
  const [field = ''] = fields instanceof z.ZodMiniObject ? Object.keys(fields.shape) : [];
  return { type: 'invalid_type', loc: [part, field], msg: 'Invalid input' };
}

/** The refusals that follow from the options of an endpoint, and those that it declares. */
function refusalsOf(route: Route): RefusalReason[] {
  const { access, method, input, bodyKind } = route;
  const reasons: RefusalReason[] = [];
  if (access !== 'public') reasons.push('not_signed_in');
  if (access === 'superuser') reasons.push('not_allowed');
  if (method !== 'GET') reasons.push('foreign_page');
  if (input.path && !route.hidesMissing) reasons.push('not_found');
  reasons.push(...(route.refusals ?? []));
  if (route.needsOwnerProof) reasons.push(...OWNER_PROOF_REFUSALS);
  if (input.body) reasons.push('body_too_large');
  if (input.body && bodyKind !== 'raw') reasons.push('wrong_media_type');
  if (bodyKind === 'multipart') reasons.push(...IMAGE_REFUSALS);
  if (route.imageCount === 'several') reasons.push('upload_too_large');
  if (route.rateLimit) reasons.push('rate_limited');
  return [...reasons, 'unavailable'];
}
