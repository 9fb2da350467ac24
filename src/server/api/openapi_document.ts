import * as z from 'zod/mini';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { Problem, type ValidationItem, ValidationProblem } from '#contract/common.ts';
import type { RefusalReason } from '#domain/refusal.ts';
import { InvalidRequest, parseInput } from './input.ts';
import { PROBLEMS } from './problems.ts';
import type { Route } from './route.ts';

/** The OpenAPI 3.1 document, made of the schemas that judge the calls. */
export function createOpenApiDocument(routes: readonly Route[], title: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const path = `/api/v1${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method]: toOperation(route) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: `${title} API`,
      version: '1',
      description:
        'Every path answers with and without its trailing slash. Instants are RFC 3339 in UTC; every `end` is the last minute inside.',
    },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  });
}

function toOperation(route: Route): ZodOpenApiOperationObject {
  const { path, query, header, body } = route.input;
  const [, tag = ''] = route.path.split('/');
  return {
    operationId: `${route.method}${route.path.replace(/[/:]+(\w)/g, (_, first) => `_${first}`)}`,
    tags: [tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    security: route.access === 'public' ? [] : [{ bearer: [] }],
    requestParams: {
      ...(path instanceof z.ZodMiniObject && { path }),
      ...(query instanceof z.ZodMiniObject && { query }),
      ...(header instanceof z.ZodMiniObject && { header }),
    },
    ...(body && {
      requestBody: {
        required: true,
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

const BODY_MEDIA_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  raw: 'application/json',
};

function toResponses(route: Route): ZodOpenApiResponsesObject {
  const reasons = Map.groupBy(refusalsOf(route), (reason) => PROBLEMS[reason].status);
  const refusals = [...reasons].map(([status, ofStatus]) => [
    status,
    {
      description: ofStatus.map((reason) => PROBLEMS[reason].detail).join(' / '),
      content: {
        'application/json': {
          schema: Problem,
          examples: Object.fromEntries(
            ofStatus.map((reason) => [reason, { value: { detail: PROBLEMS[reason].detail } }]),
          ),
        },
      },
    },
  ]);
  return {
    [`${route.status}`]: {
      description: route.response ? 'What was asked for' : 'Done',
      ...(route.response && {
        content: {
          [RESPONSE_MEDIA_TYPES[route.responseKind ?? 'json']]: { schema: route.response },
        },
      }),
    },
    ...(Object.keys(route.input).length > 0 && {
      '422': {
        description: 'Not valid; all that is wrong',
        content: {
          'application/json': {
            schema: ValidationProblem,
            example: { detail: exampleValidationItems(route) },
          },
        },
      },
    }),
    ...Object.fromEntries(refusals),
  };
}

const RESPONSE_MEDIA_TYPES = { json: 'application/json', html: 'text/html', jpeg: 'image/jpeg' };

/** What someone would be told who sends nothing, or else something that is not known. */
function exampleValidationItems({ input: takes }: Route): readonly ValidationItem[] {
  const schema = z.object<Record<string, z.core.$ZodType>>({ ...takes });
  for (const sent of [{}, { unknown: null }]) {
    try {
      parseInput(schema, { path: sent, query: sent, header: sent, body: sent });
    } catch (error) {
      if (error instanceof InvalidRequest) return error.items.slice(0, 1);
    }
  }
  const [place = 'query', fields] = Object.entries(takes)[0] ?? [];
  const [field = ''] = fields instanceof z.ZodMiniObject ? Object.keys(fields.shape) : [];
  return [{ type: 'invalid_type', loc: [place, field], msg: 'Invalid input' }];
}

const IMAGE_REFUSALS = [
  'picture_too_heavy',
  'picture_too_large',
  'too_many_pictures',
  'not_a_picture',
  'busy',
] as const;

function refusalsOf(route: Route): RefusalReason[] {
  return [
    ...(route.access === 'public' ? [] : (['not_signed_in'] as const)),
    ...(route.access === 'superuser' ? (['not_allowed'] as const) : []),
    ...(route.refusals ?? []),
    ...(route.input.body ? (['too_large'] as const) : []),
    ...(route.input.body && route.bodyKind !== 'raw' ? (['wrong_media_type'] as const) : []),
    ...(route.bodyKind === 'multipart' ? IMAGE_REFUSALS : []),
    ...(route.maxImages === undefined ? [] : (['pictures_too_heavy'] as const)),
    ...(route.budget ? (['too_many'] as const) : []),
    'unavailable',
  ];
}
