import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { serveDemo } from '#support/sandbox.ts';
import { build } from '../load/program_copy.ts';

const BUILD_MS = 240_000;
/** Calls a host's function like the host does, and prints the response as JSON. */
const CALL_FUNCTION = `
  const [file, url] = process.argv.slice(1);
  const { default: run } = await import(file);
  const response = await (run.fetch ?? run)(new Request(url), {});
  const body = await response.text();
  console.log(JSON.stringify({ status: response.status, headers: [...response.headers], body }));
`;

interface Page {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

async function vercelFunction(program: string): Promise<string> {
  const folder = join(program, '.vercel/output/functions/_render.func');
  const { handler } = JSON.parse(await readFile(join(folder, '.vc-config.json'), 'utf8'));
  return join(folder, String(handler));
}

async function netlifyFunction(program: string): Promise<string> {
  return join(program, '.netlify/v1/functions/ssr/ssr.mjs');
}

const demo = serveDemo();

// Cloudflare is tested in the browser (workers.spec.ts).
test.each([
  ['vercel', vercelFunction],
  ['netlify', netlifyFunction],
] as const)(
  'the site runs as a function of %s with a separate API, and that build does not replace the Node build',
  { timeout: BUILD_MS },
  async (ADAPTER, findFunction) => {
    const program = inject('program');
    expect(await build(program, { ADAPTER })).toContain('Building');
    expect(await build(program)).toBe('');

    const { url } = demo.server;
    const { stdout } = await promisify(execFile)(
      join(program, 'node_modules/.bin/node'),
      [
        '--input-type=module',
        '-e',
        CALL_FUNCTION,
        await findFunction(program),
        'https://host.example/ana/',
      ],
      {
        env: {
          ...process.env,
          API_URL: `${url}/`,
          PUBLIC_API_URL: 'https://api.example.com',
          SITE_URL: 'https://book.example.com',
          PRODUCT_NAME: 'Nadel',
        },
      },
    );
    const page: Page = JSON.parse(stdout);
    const headers = new Map(page.headers);
    expect(page.status).toBe(200);
    expect(page.body).toMatch(/<title>[^<]* · Nadel<\/title>/);
    expect(page.body).toContain('<link rel="canonical" href="https://book.example.com/ana/"');
    expect(page.body).toContain('data-api="https://api.example.com"');
    expect(headers.get('content-security-policy')).toContain(
      "connect-src 'self' https://api.example.com;",
    );
    expect(headers.get('surrogate-control')).toMatch(/^max-age=\d+, stale-while-revalidate=\d+$/);
    expect(headers.get('cache-tag')).toMatch(/\bdesigns:[-0-9a-f]+/);
  },
);
