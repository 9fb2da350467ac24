import { expect, test } from 'vitest';
import { expectOk } from '#support/call_api.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

interface Answer {
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
  readonly responses: Record<string, Answer>;
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
function operationsOf({ paths }: OpenApiDocument): [string, string, Operation][] {
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
    .replace('{email}', 'nobody@example.com')
    .replace(/\{\w+\}/g, 'f3b6f0f4-8b7e-4a2c-8a53-0d4b2b6a9d10');
}

test('every route is documented, and nothing else', async () => {
  const app = await openTestApp();
  const documented = operationsOf(await readDocument(app)).map(
    ([method, path]) => `${method} ${path}`,
  );
  const page = ['get /api/v1/docs', 'get /api/v1/docs/{file}'];
  const unlisted = ['get /healthz', 'get /readyz', 'get /api/v1/openapi.json', ...page];
  expect([...documented, ...unlisted].sort()).toEqual([...app.routes].sort());
});

test('the document is OpenAPI 3.1 whose references all lead somewhere', async () => {
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

test('every operation says what it is, what it takes, what it answers and who may call it', async () => {
  const app = await openTestApp();
  const operations = operationsOf(await readDocument(app));
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
      ['post', 'patch'].includes(method) && statuses.includes('413'),
    );
  }
});

test('every operation shows what to send, and every error what comes back', async () => {
  const app = await openTestApp();
  for (const [method, path, operation] of operationsOf(await readDocument(app))) {
    const where = `${method} ${path}`;
    for (const { in: place, name, description, schema } of operation.parameters ?? [])
      if (place === 'path')
        expect(description ?? schema.description, `${where}, ${name}`).toMatch(/\S/);
    for (const [type, { example }] of Object.entries(operation.requestBody?.content ?? {}))
      if (type !== 'multipart/form-data') expect(example, where).toBeTypeOf('object');
    for (const [status, answer] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      const { example, examples } = answer.content?.['application/json'] ?? {};
      const shown = JSON.stringify(example ?? examples ?? null);
      expect(shown, `${where}, ${status}`).toContain('"detail"');
    }
  }
});

test('what the document shows to send is taken', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const superuser = await app.superuserToken();
  for (const [method, path, operation] of operationsOf(await readDocument(app))) {
    const [[type, sent] = []] = Object.entries(operation.requestBody?.content ?? {});
    if (type === undefined || !sent || sent.example === undefined) continue;
    const token = operation.responses['403'] ? superuser : artist.token;
    const json = type === 'application/json';
    const answer = await app.call(`${method.toUpperCase()} ${addressOf(path)}?username=nobody`, {
      token,
      ...(json
        ? { json: sent.example }
        : { form: Object.fromEntries(Object.entries(Object(sent.example))) }),
    });
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).not.toBe(422);
  }
});

test('every operation answers alike with and without a slash at its end', async () => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  for (const [method, path] of operationsOf(await readDocument(app))) {
    const what = `${method.toUpperCase()} ${addressOf(path)}`;
    // Whoever deletes themselves does so once.
    const another = `${method} ${path}` === 'delete /api/v1/users/me';
    const { token: onceMore } = another ? await app.newArtist() : { token };
    for (const [first, second] of [
      [{}, {}],
      [{ token: onceMore }, { token }],
    ]) {
      const [without, withSlash] = [
        await app.call(what, first),
        await app.call(`${what}/`, second),
      ];
      expect([what, withSlash.status, withSlash.body]).toEqual([
        what,
        without.status,
        without.body,
      ]);
      const documented = Object.keys(Object(await documentedAnswers(app, method, path)));
      expect(documented, what).toContain(String(without.status));
    }
  }
});

async function documentedAnswers(app: TestApp, method: string, path: string) {
  return (await readDocument(app)).paths[path]?.[method]?.responses;
}

test('calls for everyone ignore a token, and all others ask for one', async () => {
  const app = await openTestApp();
  for (const [method, path, { security }] of operationsOf(await readDocument(app))) {
    const what = `${method.toUpperCase()} ${addressOf(path)}`;
    const without = await app.call(what);
    const withJunk = await app.call(what, { token: 'eyJhbGciOiJIUzI1NiJ9.e30.x' });
    expect([what, withJunk.status, withJunk.body]).toEqual([what, without.status, without.body]);
    expect([what, without.status === 401]).toEqual([what, security.length > 0]);
  }
});

test('these calls need no token', async () => {
  const app = await openTestApp();
  const open = operationsOf(await readDocument(app)).filter(
    ([, , { security }]) => security.length === 0,
  );
  expect(open.map(([method, path]) => `${method} ${path.replace('/api/v1', '')}`).sort()).toEqual([
    'get /appointments/confirmation/{appt_id}',
    'get /designs/{design_id}',
    'get /designs/{design_id}/share-image',
    'get /designs/{username}/available',
    'get /images/artist-portfolio',
    'get /services/{service_id}/availability',
    'get /services/{username}/available',
    'get /services/{username}/available/{service_id}',
    'get /users/artist/{username}',
    'get /users/artist/{username}/share-image',
    'get /users/artists',
    'get /users/{user_id}/availability',
    'post /appointments/confirmation/{appt_id}',
    'post /appointments/request/design',
    'post /appointments/request/service',
    'post /login/access-token',
    'post /password-recovery/{email}',
    'post /reset-password',
    'post /users/artist/{username}/contact',
    'post /users/signup',
    'post /users/webhook',
  ]);
});

/** The specification's section 7. */
const CALLS: Record<string, string> = {
  '/appointments': 'get post',
  '/appointments/by_client/{client_id}': 'get',
  '/appointments/schedule': 'get',
  '/appointments/{appt_id}': 'get patch delete',
  '/appointments/request/service': 'post',
  '/appointments/request/design': 'post',
  '/appointments/confirmation/{appt_id}': 'get post',
  '/designs': 'get post',
  '/designs/{username}/available': 'get',
  '/designs/{design_id}': 'get patch delete',
  '/images/portfolio': 'get',
  '/images/artist-portfolio': 'get',
  '/images/portfolio/upload': 'post',
  '/images/{image_id}': 'get patch delete',
  '/login/access-token': 'post',
  '/login/test-token': 'post',
  '/password-recovery/{email}': 'post',
  '/reset-password': 'post',
  '/password-recovery-html-content/{email}': 'post',
  '/services': 'get post',
  '/services/{service_id}': 'get patch delete',
  '/services/{username}/available': 'get',
  '/services/{username}/available/{service_id}': 'get',
  '/services/{service_id}/availability': 'get',
  '/users': 'get post',
  '/users/me': 'get patch delete',
  '/users/me/avatar': 'patch',
  '/users/me/password': 'patch',
  '/users/availability': 'get',
  '/users/me/schedule': 'patch',
  '/users/me/booking_range': 'patch',
  '/users/signup': 'post',
  '/users/create-checkout-session': 'post',
  '/users/create-billing-portal': 'post',
  '/users/webhook': 'post',
  '/users/{user_id}': 'get patch delete',
  '/users/artist/{username}': 'get',
  '/users/{user_id}/availability': 'get',
};

test('every call that the specification names is there', async () => {
  const document = await readDocument(await openTestApp());
  const named = Object.entries(CALLS).flatMap(([path, methods]) =>
    methods.split(' ').map((method) => `${method} /api/v1${path}`),
  );
  const documented = operationsOf(document).map(([method, path]) => `${method} ${path}`);
  expect(named.filter((call) => !documented.includes(call))).toEqual([]);
});
