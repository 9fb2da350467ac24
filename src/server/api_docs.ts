/** Serves a page that shows the OpenAPI document, with its stylesheet and script. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { refusalResponse } from './api/error_answers.ts';
import { OpenApiDocument } from './api_docs/openapi_types.ts';
import { renderPage } from './api_docs/page.ts';

const FOLDER = join(import.meta.dirname, 'api_docs');

/** The media types of the files that the page loads. */
const MEDIA_TYPES = new Map([
  ['page.css', 'text/css; charset=utf-8'],
  ['try_it.js', 'text/javascript; charset=utf-8'],
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
 * @param getDocument creates the OpenAPI document; called when the page is first requested
 * @param folder holds the files that the page loads
 */
export function createApiDocs(getDocument: () => unknown, log: Logger, folder = FOLDER) {
  let page: string | undefined;
  /** The contents of files by name, so that each file is read once. */
  const contents = new Map<string, Promise<Buffer>>();

  function readOnce(name: string): Promise<Buffer> {
    const content = contents.get(name) ?? readFile(join(folder, name));
    contents.set(name, content);
    // After an error, the next request reads the file again.
    content.catch(() => contents.delete(name));
    return content;
  }

  return {
    servePage(): Response {
      page ??= renderPage(OpenApiDocument.parse(getDocument()));
      return new Response(page, { headers: PAGE_HEADERS });
    },
    /** Responds with a file that the page loads: 404 for an unknown name, 503 when reading fails. */
    async serveFile(name: string): Promise<Response> {
      const type = MEDIA_TYPES.get(name);
      if (type === undefined) return refusalResponse('not_found');
      try {
        return new Response(new Uint8Array(await readOnce(name)), {
          headers: { 'Content-Type': type, 'Cache-Control': 'no-cache' },
        });
      } catch (error) {
        log.error(
          { err: error, component: 'API docs', file: name },
          'Reading a file failed (answered 503)',
        );
        return refusalResponse('unavailable');
      }
    },
  };
}
