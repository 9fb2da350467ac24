/** Serves a page that shows the OpenAPI document, with its stylesheet and script. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusalAnswer, toErrorResponse } from '#server/api/error_answers.ts';
import { OpenApiDocument } from '#server/api_docs/openapi_types.ts';
import { renderPage } from '#server/api_docs/page.ts';

/** The files that the page loads, by their names. */
const FILES = new Map([
  readDocsFile('page.css', 'text/css; charset=utf-8'),
  readDocsFile('try_it.js', 'text/javascript; charset=utf-8'),
]);

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; " +
    "form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

/**
 * Returns the functions that answer a request for the page, and for its files.
 * @param getDocument creates the OpenAPI document; called when the page is first requested
 */
export function createApiDocs(getDocument: () => unknown) {
  let page: string | undefined;
  return {
    servePage(): Response {
      page ??= renderPage(OpenApiDocument.parse(getDocument()));
      return new Response(page, { headers: PAGE_HEADERS });
    },
    /** Responds with a file that the page loads; 404 for any other name. */
    serveFile(name: string): Response {
      const file = FILES.get(name);
      if (!file) return toErrorResponse(refusalAnswer('not_found'));
      return new Response(file.content, {
        headers: { 'Content-Type': file.type, 'Cache-Control': 'no-cache' },
      });
    },
  };
}

function readDocsFile(name: string, type: string) {
  const content = readFileSync(join(import.meta.dirname, '../api_docs', name), 'utf8');
  return [name, { type, content }] as const;
}
