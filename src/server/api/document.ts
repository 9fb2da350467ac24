import * as z from 'zod/mini';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { Problem, ValidationProblem } from '#contract/common.ts';
import type { RefusalReason } from '#domain/refusal.ts';
import { PROBLEMS } from './problems.ts';
import type { Route } from './route.ts';

/** The OpenAPI 3.1 document, made of the schemas that judge the calls. */
export function describe(routes: readonly Route[], title: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const path = `/api/v1${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method]: describeCall(route) };
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

function describeCall(route: Route): ZodOpenApiOperationObject {
  const { path, query, header, body } = route.takes;
  const [, tag = ''] = route.path.split('/');
  return {
    operationId: `${route.method}${route.path.replace(/[/:](\w)/g, (_, first) => `_${first}`)}`,
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
          [route.bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json']: {
            schema: body,
          },
        },
      },
    }),
    responses: describeAnswers(route),
  };
}

function describeAnswers(route: Route): ZodOpenApiResponsesObject {
  const words = new Map<number, string[]>();
  for (const reason of refusalsOf(route)) {
    const { status, detail } = PROBLEMS[reason];
    words.set(status, [...(words.get(status) ?? []), detail]);
  }
  const refusals = [...words].map(([status, details]) => [
    status,
    { description: details.join(' / '), content: json(Problem) },
  ]);
  return {
    [`${route.status}`]: {
      description: route.answer ? 'What was asked for' : 'Done',
      ...(route.answer && { content: json(route.answer) }),
    },
    ...(Object.keys(route.takes).length > 0 && {
      '422': { description: 'Not valid; all that is wrong', content: json(ValidationProblem) },
    }),
    ...Object.fromEntries(refusals),
  };
}

function json(schema: z.core.$ZodType) {
  return { 'application/json': { schema } };
}

function refusalsOf(route: Route): RefusalReason[] {
  return [
    ...(route.access === 'public' ? [] : (['not_signed_in'] as const)),
    ...(route.refusals ?? []),
    ...(route.takes.body ? (['too_large', 'wrong_media_type'] as const) : []),
    ...(route.budget ? (['too_many'] as const) : []),
    'unavailable',
  ];
}
