import { expect, test } from 'vitest';
import { expectOk, openStudio, type Studio } from '#support/studio.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly Record<string, unknown>[];
  readonly parameters?: readonly { in: string; name: string; schema: object }[];
  readonly requestBody?: { content: Record<string, unknown> };
  readonly responses: Record<string, { description: string }>;
}

interface Document {
  readonly openapi: string;
  readonly info: { title: string };
  readonly paths: Record<string, Record<string, Operation>>;
}

function readDocument(studio: Studio): Promise<Document> {
  return expectOk(studio.call<Document>('GET /openapi.json'));
}

/** Every operation, as `['get', '/api/v1/services', …]`. */
function operationsOf({ paths }: Document): [string, string, Operation][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      method,
      path,
      operation,
    ]),
  );
}

/** An address of the operation that names nothing there is. */
function addressOf(path: string): string {
  return path
    .replace('{username}', 'nobody')
    .replace(/\{\w+\}/g, 'f3b6f0f4-8b7e-4a2c-8a53-0d4b2b6a9d10');
}

test('every route is documented, and nothing else', async () => {
  const studio = await openStudio();
  const documented = operationsOf(await readDocument(studio)).map(
    ([method, path]) => `${method} ${path}`,
  );
  const unlisted = ['get /healthz', 'get /readyz', 'get /api/v1/openapi.json'];
  expect([...documented, ...unlisted].sort()).toEqual([...studio.routes].sort());
});

test('the document is OpenAPI 3.1 whose references all lead somewhere', async () => {
  const studio = await openStudio();
  const document = await readDocument(studio);
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

test('every operation says what it is, what it takes, what it answers and who may call it', async () => {
  const studio = await openStudio();
  const operations = operationsOf(await readDocument(studio));
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
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = operation.parameters?.filter((one) => one.in === 'path') ?? [];
    expect(declared.map(({ name }) => name).sort(), where).toEqual(names.sort());
    expect(operation.requestBody !== undefined, where).toBe(
      ['post', 'patch'].includes(method) && statuses.includes('415'),
    );
  }
});

test('every operation answers alike with and without a slash at its end', async () => {
  const studio = await openStudio();
  const { token } = await studio.artist();
  for (const [method, path] of operationsOf(await readDocument(studio))) {
    const what = `${method.toUpperCase()} ${addressOf(path)}`;
    for (const options of [{}, { token }]) {
      const [without, withSlash] = [
        await studio.call(what, options),
        await studio.call(`${what}/`, options),
      ];
      expect([what, withSlash.status, withSlash.body]).toEqual([
        what,
        without.status,
        without.body,
      ]);
      const documented = Object.keys(Object(await documentedAnswers(studio, method, path)));
      expect(documented, what).toContain(String(without.status));
    }
  }
});

async function documentedAnswers(studio: Studio, method: string, path: string) {
  return (await readDocument(studio)).paths[path]?.[method]?.responses;
}

test('calls for everyone ignore a token, and all others ask for one', async () => {
  const studio = await openStudio();
  for (const [method, path, { security }] of operationsOf(await readDocument(studio))) {
    const what = `${method.toUpperCase()} ${addressOf(path)}`;
    const without = await studio.call(what);
    const withJunk = await studio.call(what, { token: 'eyJhbGciOiJIUzI1NiJ9.e30.x' });
    expect([what, withJunk.status, withJunk.body]).toEqual([what, without.status, without.body]);
    expect([what, without.status === 401]).toEqual([what, security.length > 0]);
  }
});

test('these calls need no token', async () => {
  const studio = await openStudio();
  const open = operationsOf(await readDocument(studio)).filter(
    ([, , { security }]) => security.length === 0,
  );
  expect(open.map(([method, path]) => `${method} ${path.replace('/api/v1', '')}`).sort()).toEqual([
    'get /appointments/confirmation/{appt_id}',
    'get /designs/{design_id}',
    'get /designs/{username}/available',
    'get /images/artist-portfolio',
    'get /services/{service_id}/availability',
    'get /services/{username}/available',
    'get /services/{username}/available/{service_id}',
    'get /users/artist/{username}',
    'get /users/{user_id}/availability',
    'post /appointments/confirmation/{appt_id}',
    'post /appointments/request/design',
    'post /appointments/request/service',
    'post /login/access-token',
    'post /users/artist/{username}/contact',
    'post /users/signup',
  ]);
});
