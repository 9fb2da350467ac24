import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from './api/problems.ts';
import { OpenApiDocument } from './api_docs/openapi_types.ts';
import { renderPage } from './api_docs/page.ts';

const FOLDER = join(import.meta.dirname, 'api_docs');

/** What the page asks for by name, below its own address. */
const FILES: Readonly<Record<string, string>> = {
  'page.css': 'text/css; charset=utf-8',
  'try_it.js': 'text/javascript; charset=utf-8',
};

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
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

interface ApiDocs {
  /** The page to browse the API document on; all that it needs comes from this server. */
  page(): Response;
  /** One of the files of the page: 404 when it has no such file, 503 when it cannot be read. */
  file(name: string): Promise<Response>;
}

/**
 * Shows an OpenAPI document.
 * @param document makes it, when somebody first looks
 * @param folder where the page's files are
 */
export function createApiDocs(
  document: () => unknown,
  log: (line: string) => void,
  folder = FOLDER,
): ApiDocs {
  let page: string | undefined;
  const files = new Map<string, Promise<Buffer>>();

  function read(name: string): Promise<Buffer> {
    const bytes = files.get(name) ?? readFile(join(folder, name));
    files.set(name, bytes);
    // The next request tries again.
    bytes.catch(() => files.delete(name));
    return bytes;
  }

  return {
    page() {
      page ??= renderPage(OpenApiDocument.parse(document()));
      return new Response(page, { headers: PAGE_HEADERS });
    },
    async file(name) {
      const type = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
      if (type === undefined) return problem('not_found');
      try {
        const bytes = await read(name);
        return new Response(new Uint8Array(bytes), {
          headers: { 'Content-Type': type, 'Cache-Control': 'no-cache' },
        });
      } catch (error) {
        log(`API docs: reading ${name} failed, answered with 503: ${error}`);
        return problem('unavailable');
      }
    },
  };
}
