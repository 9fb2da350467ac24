import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createDocument } from 'zod-openapi';
import { createApiDocs } from '../../../src/server/http/api_docs.ts';

const FILES = join(import.meta.dirname, '../../../src/server/api_docs');
const Pet = z.object({ name: z.string(), age: z.optional(z.int()) }).register(z.globalRegistry, {
  id: 'Pet',
});
const Rename = z.object({ name: z.string() });
const DOCUMENT = createDocument({
  openapi: '3.1.0',
  info: { title: 'Fish & <b>Co</b> API', version: '1', description: 'About `fish` & chips' },
  paths: {
    '/api/v1/pets/{pet_id}': {
      patch: {
        operationId: 'patch_pets_pet_id',
        tags: ['pets'],
        summary: 'Rename a pet',
        security: [{ bearer: [] }],
        requestParams: { path: z.object({ pet_id: z.uuid() }) },
        requestBody: {
          content: { 'application/json': { schema: Rename, example: { name: 'Wanda' } } },
        },
        responses: {
          200: {
            description: 'Renamed',
            content: { 'application/json': { schema: z.array(z.nullable(Pet)) } },
          },
        },
      },
    },
  },
});

test('the page shows each operation with its parameters, body and responses, escaped and without unsafe sources', async () => {
  const response = createApiDocs(() => DOCUMENT).servePage();
  const page = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-security-policy')).not.toContain('unsafe');
  for (const part of [
    '<h1>Fish &amp; &lt;b&gt;Co&lt;/b&gt; API</h1>',
    '<p>About <code>fish</code> &amp; chips</p>',
    '<details id="patch_pets_pet_id">',
    'Needs an access token.',
    '<input name="pet_id" data-in="path" required',
    '&quot;name&quot;: &quot;Wanda&quot;',
    '(<a href="#schema-Pet">Pet</a> | null)[]',
    'name: string\n  age?: integer',
  ])
    expect(page).toContain(part);
});

test.each([
  ['page.css', 'text/css; charset=utf-8'],
  ['try_it.js', 'text/javascript; charset=utf-8'],
])('%s is served for the page', async (name, type) => {
  const response = createApiDocs(() => DOCUMENT).serveFile(name);
  expect(response.headers.get('content-type')).toBe(type);
  expect(await response.text()).toBe(await readFile(join(FILES, name), 'utf8'));
});

test.each(['document.ts', 'constructor', '../api_docs.ts'])(
  '%s is not a file of the page',
  async (name) => {
    expect(createApiDocs(() => DOCUMENT).serveFile(name).status).toBe(404);
  },
);
