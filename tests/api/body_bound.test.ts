import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readInputBody } from '#server/api/http_call.ts';
import { ROUTES } from '#server/api/routes.ts';
import { openTestContext } from '#support/test_context.ts';

type Schema = z.core.JSONSchema._JSONSchema | undefined;

/** The longest value that a schema allows, of characters that take the most bytes when they are escaped. */
function fill(schema: Schema, definitions: Record<string, Schema>): unknown {
  if (typeof schema !== 'object') return null;
  const { $ref, anyOf, oneOf, enum: choices, properties, items, maxItems = 0, maxLength } = schema;
  if ($ref) return fill(definitions[$ref.replace('#/$defs/', '')], definitions);
  const values = choices ?? (anyOf ?? oneOf)?.map((one) => fill(one, definitions));
  if (values) return values.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
  if (properties)
    return Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, fill(value, definitions)]),
    );
  if (items && !Array.isArray(items)) return Array(maxItems).fill(fill(items, definitions));
  if (schema.const !== undefined) return schema.const;
  if (schema.type !== 'string') return schema.type === 'boolean' ? false : 1_000_000_000;
  const example = schema.format === 'date' ? '2026-11-24' : '2026-11-24T15:00:00.000+00:00';
  return '€'.repeat(maxLength ?? example.length);
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length;
}

const BODIES = {
  json: ['application/json', (body: object) => JSON.stringify(body).replaceAll('€', '\\u20ac')],
  form: [
    'application/x-www-form-urlencoded',
    (body: object) => `${new URLSearchParams(Object.entries(body))}`,
  ],
} as const;

test('every route accepts its longest legal body, with each character escaped, and refuses a longer one before it is parsed', async () => {
  const { context } = await openTestContext();
  const routes = ROUTES.flatMap((route) => {
    const { bodyKind: kind = 'json', input } = route;
    return kind === 'multipart' || kind === 'raw' || !input.body
      ? []
      : [{ route, kind, schema: input.body }];
  });
  expect(new Set(routes.map(({ kind }) => kind))).toEqual(new Set(['json', 'form']));
  for (const { route, kind, schema } of routes) {
    const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const [type, encode] = BODIES[kind];
    const longest = encode(Object(fill(document, document.$defs ?? {})));
    const name = `${route.method} ${route.path}`;
    const read = (body: string) => {
      const request = new Request('http://localhost', {
        method: 'POST',
        body,
        headers: { 'Content-Type': type },
      });
      const uploader = { id: '', isEmailProven: false };
      const cleanup = new AsyncDisposableStack();
      return readInputBody(route, context, request, { uploader, cleanup });
    };
    await expect(read(longest), name).resolves.toBeInstanceOf(Object);
    const wrong = `{${' '.repeat(Math.max(16 * 1024, 4 * longest.length))}`;
    await expect(read(wrong), name).rejects.toMatchObject({ reason: 'body_too_large' });
  }
});
