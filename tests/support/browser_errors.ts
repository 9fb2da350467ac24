import type {
  BrowserContext,
  Request as BrowserRequest,
  Response as BrowserResponse,
  ConsoleMessage,
  WebError,
} from '@playwright/test';
import { findCspViolations } from './browser_csp.ts';
import { apiUrl, siteUrl } from './browser_server.ts';

/** Listens to everything that goes wrong in a browser. */
export interface ErrorWatch {
  /** What went wrong so far, as lines such as `POST /api/v1/…: 409`. */
  readonly errors: readonly string[];
  /** Says that something goes wrong on purpose; it fails the test if it then does not. */
  expectError(trouble: RegExp): void;
  /** Lines of trouble that nobody expected, and expectations that nothing met. */
  unexpectedErrors(): string[];
  /** Forgets all of that, for the next of several visits. */
  reset(): void;
  /** Listens no longer. */
  stop(): Promise<void>;
}

const BINDING = '__tellPolicyViolation';

export async function watchErrors(context: BrowserContext): Promise<ErrorWatch> {
  const troubles: string[] = [];
  const expected: RegExp[] = [];
  const ours = [siteUrl(), apiUrl()];

  const exposed = await context.exposeFunction(BINDING, (violation: string) => {
    troubles.push(`policy violation: ${violation}`);
  });
  const init = await context.addInitScript((binding) => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const tell: unknown = Reflect.get(window, binding);
      if (typeof tell === 'function')
        tell(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  }, BINDING);

  const listeners = {
    weberror(error: WebError) {
      troubles.push(`page error: ${error.error().stack ?? error.error().message}`);
    },
    console(message: ConsoleMessage) {
      if (message.type() !== 'error') return;
      // The request itself is told below, with its address.
      if (message.text().startsWith('Failed to load resource')) return;
      troubles.push(`console error: ${message.text()}`);
    },
    request(request: BrowserRequest) {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith('http') && !ours.includes(origin))
        troubles.push(`foreign request: ${request.method()} ${request.url()}`);
    },
    requestfailed(request: BrowserRequest) {
      const reason = request.failure()?.errorText ?? '';
      // What was on its way when the page was left, and files that are saved and not shown.
      if (reason !== 'net::ERR_ABORTED')
        troubles.push(`${request.method()} ${pathOf(request.url())}: ${reason}`);
    },
    response(response: BrowserResponse) {
      const { 'content-type': type = '', 'content-security-policy': policy = '' } =
        response.headers();
      // A redirection shows nothing.
      if (type.startsWith('text/html') && response.status() !== 302)
        for (const fault of findCspViolations(policy))
          troubles.push(`policy of ${pathOf(response.url())}: ${fault}`);
      if (response.status() >= 400)
        troubles.push(
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
    errors: troubles,
    expectError: (trouble) => void expected.push(trouble),
    unexpectedErrors: () => [
      ...troubles.filter((trouble) => !expected.some((pattern) => pattern.test(trouble))),
      ...expected
        .filter((pattern) => !troubles.some((trouble) => pattern.test(trouble)))
        .map((pattern) => `did not happen: ${pattern}`),
    ],
    reset() {
      troubles.length = 0;
      expected.length = 0;
    },
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
