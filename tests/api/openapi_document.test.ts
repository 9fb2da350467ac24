import { expect, test } from 'vitest';
import { openArtistApp } from '#support/artist_app.ts';
import { AUTHORIZATION_TABLE } from '#support/authorization_table.ts';
import { type ApiResponse, expectOk } from '#support/call_api.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

interface DocumentedResponse {
  readonly description: string;
  readonly content?: Record<string, { example?: unknown; examples?: Record<string, unknown> }>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly Record<string, unknown>[];
  readonly parameters?: readonly {
    in: string;
    name: string;
    description?: string;
    schema: { description?: string };
  }[];
  readonly requestBody?: { content: Record<string, { example?: unknown }> };
  readonly responses: Record<string, DocumentedResponse>;
}

interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { title: string };
  readonly paths: Record<string, Record<string, Operation>>;
}

function readDocument(app: TestApp): Promise<OpenApiDocument> {
  return expectOk(app.call<OpenApiDocument>('GET /openapi.json'));
}

/** Every operation, as `['get', '/api/v1/services', …]`. */
function listOperations({ paths }: OpenApiDocument): [string, string, Operation][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      method,
      path,
      operation,
    ]),
  );
}

/** A path of the operation whose parameters match nothing. */
function fillPath(path: string): string {
  return path
    .replace('{username}', 'nobody')
    .replace('{email}', 'nobody@example.com')
    .replace(/\{\w+\}/g, 'f3b6f0f4-8b7e-4a2c-8a53-0d4b2b6a9d10');
}

test('the OpenAPI document lists every route, and no other', async () => {
  const app = await openTestApp();
  const documented = listOperations(await readDocument(app)).map(
    ([method, path]) => `${method} ${path}`,
  );
  const docsRoutes = ['get /api/v1/docs', 'get /api/v1/docs/{file}'];
  const unlisted = ['get /healthz', 'get /readyz', 'get /api/v1/openapi.json', ...docsRoutes];
  expect([...documented, ...unlisted].sort()).toEqual([...app.routes].sort());
});

test('the document is OpenAPI 3.1, and all its references resolve', async () => {
  const app = await openTestApp();
  const document = await readDocument(app);
  expect(document.openapi).toBe('3.1.0');
  expect(document.info.title).toBe('Linework API');
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, reference = '']) => reference,
  );
  expect(references.length).toBeGreaterThan(20);
  for (const reference of references) {
    const [root, ...keys] = reference.split('/');
    const found = keys.reduce<unknown>((inside, key) => Reflect.get(Object(inside), key), document);
    expect([root, reference, typeof found]).toEqual(['#', reference, 'object']);
  }
});

test('every operation has a unique id, a summary, its parameters, one success status, and 401 if it needs a token', async () => {
  const app = await openTestApp();
  const operations = listOperations(await readDocument(app));
  const ids = operations.map(([, , { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(operations.length);
  for (const [method, path, operation] of operations) {
    const where = `${method} ${path}`;
    expect(operation.summary, where).toMatch(/\S/);
    const statuses = Object.keys(operation.responses);
    expect(
      statuses.filter((status) => /^2\d\d$/.test(status)),
      where,
    ).toHaveLength(1);
    expect(statuses.includes('401'), where).toBe(operation.security.length > 0);
    const rule = AUTHORIZATION_TABLE[`${method} ${path.replace('/api/v1', '')}`];
    expect(rule?.access !== 'public', where).toBe(operation.security.length > 0);
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = operation.parameters?.filter((one) => one.in === 'path') ?? [];
    expect(declared.map(({ name }) => name).sort(), where).toEqual(names.sort());
    expect(operation.requestBody !== undefined, where).toBe(statuses.includes('413'));
  }
});

test('every path parameter has a description, and every body and error an example', async () => {
  const app = await openTestApp();
  for (const [method, path, operation] of listOperations(await readDocument(app))) {
    const where = `${method} ${path}`;
    for (const { in: place, name, description, schema } of operation.parameters ?? [])
      if (place === 'path')
        expect(description ?? schema.description, `${where}, ${name}`).toMatch(/\S/);
    for (const [type, { example }] of Object.entries(operation.requestBody?.content ?? {}))
      if (type !== 'multipart/form-data') expect(example, where).toBeTypeOf('object');
    for (const [status, response] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      const { example, examples } = response.content?.['application/json'] ?? {};
      const exampleText = JSON.stringify(example ?? examples ?? null);
      expect(exampleText, `${where}, ${status}`).toContain('"detail"');
    }
  }
});

test('the request examples of the document are valid', async () => {
  const { app, artist } = await openArtistApp();
  const superuser = await app.superuserToken();
  for (const [method, path, operation] of listOperations(await readDocument(app))) {
    const [[type, body] = []] = Object.entries(operation.requestBody?.content ?? {});
    if (type === undefined || !body || body.example === undefined) continue;
    const token = operation.responses['403'] ? superuser : artist.token;
    const isJson = type === 'application/json';
    const response = await app.call(
      `${method.toUpperCase()} ${fillPath(path)}?username=nobody&token=made-up`,
      {
        token,
        ...(isJson
          ? { json: body.example }
          : { form: Object.fromEntries(Object.entries(Object(body.example))) }),
      },
    );
    expect(response.status, `${path} ${JSON.stringify(response.body)}`).not.toBe(422);
  }
});

const ENDING_TOKENS = [
  'delete /users/me',
  'delete /users/me/session',
  'post /users/me/sessions/end-others',
];

test('every operation responds the same with and without a trailing slash, with a documented status', async () => {
  const { app, token } = await openArtistApp();
  for (const [method, path, { responses }] of listOperations(await readDocument(app))) {
    const call = `${method.toUpperCase()} ${fillPath(path)}`;
    // A token can be ended only once, so these operations need two.
    const newToken = async () => (await app.newArtist()).token;
    const tokens = ENDING_TOKENS.includes(`${method} ${path.replace('/api/v1', '')}`)
      ? [await newToken(), await newToken()]
      : [token, token];
    for (const [first, second] of [
      [{}, {}],
      [{ token: tokens[0] }, { token: tokens[1] }],
    ]) {
      const [without, withSlash] = [
        await app.call(call, first),
        await app.call(`${call}/`, second),
      ];
      expect([call, withSlash.status, fixedParts(withSlash)]).toEqual([
        call,
        without.status,
        fixedParts(without),
      ]);
      expect(Object.keys(responses), call).toContain(String(without.status));
    }
  }
});

/** The body without what differs in each answer. */
function fixedParts({ body }: ApiResponse): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const changing = ['challenge', 'access_token'].filter((field) => field in body);
  return { ...body, ...Object.fromEntries(changing.map((field) => [field, 'another each time'])) };
}
