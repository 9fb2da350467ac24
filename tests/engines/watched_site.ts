import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { siteUrl } from '#support/browser_server.ts';
import { listenOn } from '#support/free_port.ts';
import { watchPage } from './page_watch.ts';

const QUERIES = createRequire(import.meta.url).resolve(
  '@testing-library/dom/dist/@testing-library/dom.umd.min.js',
);
const SCRIPT_PATH = '/__watch.js';
const PROBLEMS_PATH = '/__problems';
/** Answers how many requests of the page are not answered yet. */
export const OPEN_PATH = '/__open';

/**
 * A proxy of the tested site for the current test. Its pages first load `watchPage`, and the queries of Testing Library.
 * Not every engine has a protocol for that, or for errors; the site's policy allows a script of its own origin.
 * @returns its URL, and what went wrong so far
 */
export async function watchSite() {
  const problems: string[] = [];
  let open = 0;
  const script = `${await readFile(QUERIES, 'utf8')}\n;(${watchPage})('${PROBLEMS_PATH}');`;
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.url === SCRIPT_PATH)
      outgoing.setHeader('Content-Type', 'text/javascript').end(script);
    else if (incoming.url === PROBLEMS_PATH) {
      problems.push(await text(incoming));
      outgoing.end();
    } else if (incoming.url === OPEN_PATH) outgoing.end(String(open));
    else {
      open += 1;
      outgoing.on('close', () => {
        open -= 1;
      });
      forward(incoming, outgoing, problems);
    }
  });
  const url = `http://127.0.0.1:${await listenOn(server)}`;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url, problems };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, problems: string[]): void {
  const { method = 'GET', url = '/' } = incoming;
  const headers = { ...incoming.headers, 'accept-encoding': 'identity' };
  const call = request(new URL(url, siteUrl()), { method, headers }, async (response) => {
    const { statusCode = 500 } = response;
    if (statusCode >= 400) problems.push(`${method} ${url}: ${statusCode}`);
    if (!response.headers['content-type']?.startsWith('text/html')) {
      outgoing.writeHead(statusCode, response.headers);
      response.pipe(outgoing);
      return;
    }
    const { 'content-length': _, 'transfer-encoding': __, ...rest } = response.headers;
    const html = await text(response);
    outgoing.writeHead(statusCode, rest);
    outgoing.end(html.replace('<head>', `<head><script src="${SCRIPT_PATH}"></script>`));
  });
  call.on('error', () => outgoing.destroy());
  outgoing.on('close', () => call.destroy());
  incoming.pipe(call);
}
