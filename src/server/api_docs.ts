import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const FOLDER = dirname(require.resolve('swagger-ui-dist/package.json'));

/** What the page asks for by name, below its own address. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const START_NAME = 'start.js';
const START = `SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#operations',
  deepLinking: true,
  // A badge would send the document to a server elsewhere.
  validatorUrl: null,
});
`;

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  // Swagger UI writes style attributes; nothing else may be inline.
  'Content-Security-Policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
};

const A_WEEK = { 'Cache-Control': 'public, max-age=604800' };

/** The page to browse the API document on; all that it needs comes from this server. */
export function apiDocsPage(productName: string): Response {
  const title = `${productName.replace(/[&<>]/g, '')} API`;
  return new Response(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/png" href="/api/v1/docs/favicon-32x32.png">
<link rel="stylesheet" href="/api/v1/docs/swagger-ui.css">
<script src="/api/v1/docs/swagger-ui-bundle.js" defer></script>
<script src="/api/v1/docs/${START_NAME}" defer></script>
</head>
<body><main id="operations"></main></body>
</html>
`,
    { headers: PAGE_HEADERS },
  );
}

/** One of the files of the page; undefined when it has no such file. */
export async function apiDocsFile(name: string): Promise<Response | undefined> {
  if (name === START_NAME)
    return new Response(START, { headers: { 'Content-Type': 'text/javascript; charset=utf-8' } });
  const type = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (type === undefined) return undefined;
  const bytes = await readFile(join(FOLDER, name));
  return new Response(new Uint8Array(bytes), { headers: { 'Content-Type': type, ...A_WEEK } });
}
