import type {
  BrowserContext,
  Request as BrowserRequest,
  Response as BrowserResponse,
  ConsoleMessage,
  WebError,
} from '@playwright/test';
import { findCspViolations } from './browser_csp.ts';
import { apiUrl, namedSiteUrl, siteUrl } from './browser_server.ts';

export type ErrorWatch = Awaited<ReturnType<typeof watchErrors>>;

const BINDING = '__reportPolicyViolation';

/** Records the errors in a browser. */
export async function watchErrors(context: BrowserContext) {
  const errors: string[] = [];
  const expected: RegExp[] = [];
  const ownOrigins = [siteUrl(), namedSiteUrl(), apiUrl()];

  const exposed = await context.exposeFunction(BINDING, (violation: string) => {
    errors.push(`policy violation: ${violation}`);
  });
  const init = await context.addInitScript((binding) => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report: unknown = Reflect.get(window, binding);
      if (typeof report === 'function')
        report(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  }, BINDING);

  const listeners = {
    weberror(error: WebError) {
      errors.push(`page error: ${error.error().stack ?? error.error().message}`);
    },
    console(message: ConsoleMessage) {
      if (message.type() !== 'error') return;
      // `response` and `requestfailed` below report it with its URL.
      if (message.text().startsWith('Failed to load resource')) return;
      errors.push(`console error: ${message.text()}`);
    },
    request(request: BrowserRequest) {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith('http') && !ownOrigins.includes(origin))
        errors.push(`foreign request: ${request.method()} ${request.url()}`);
    },
    requestfailed(request: BrowserRequest) {
      const reason = request.failure()?.errorText ?? '';
      // Requests that were pending when the page was left, and downloads.
      if (reason !== 'net::ERR_ABORTED')
        errors.push(`${request.method()} ${pathOf(request.url())}: ${reason}`);
    },
    response(response: BrowserResponse) {
      const { 'content-type': type = '', 'content-security-policy': policy = '' } =
        response.headers();
      // A redirect renders nothing.
      if (type.startsWith('text/html') && response.status() !== 302)
        for (const violation of findCspViolations(policy))
          errors.push(`policy of ${pathOf(response.url())}: ${violation}`);
      if (response.status() >= 400)
        errors.push(
          `${response.request().method()} ${pathOf(response.url())}: ${response.status()}`,
        );
    },
  };
  context.on('weberror', listeners.weberror);
  context.on('console', listeners.console);
  context.on('request', listeners.request);
  context.on('requestfailed', listeners.requestfailed);
  context.on('response', listeners.response);

  return {
    /** The errors so far, as lines such as `POST /api/v1/…: 409`. */
    errors: errors as readonly string[],
    /** Expects an error. The test fails if the error does not occur. */
    expectError: (pattern: RegExp) => void expected.push(pattern),
    /** Errors that no test expected, and expected errors that did not occur. */
    unexpectedErrors: () => [
      ...errors.filter((line) => !expected.some((pattern) => pattern.test(line))),
      ...expected
        .filter((pattern) => !errors.some((line) => pattern.test(line)))
        .map((pattern) => `did not happen: ${pattern}`),
    ],
    /** Discards all errors and expectations, for a test with several visits. */
    reset() {
      errors.length = 0;
      expected.length = 0;
    },
    /** Removes the listeners. */
    async stop() {
      context.off('weberror', listeners.weberror);
      context.off('console', listeners.console);
      context.off('request', listeners.request);
      context.off('requestfailed', listeners.requestfailed);
      context.off('response', listeners.response);
      await Promise.all([exposed.dispose(), init.dispose()]);
    },
  };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
