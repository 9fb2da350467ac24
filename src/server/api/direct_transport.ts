/** Carries a call within our process: without a request, JSON and a socket. */
import { STATUS_CODES } from 'node:http';
import type { CachePolicy } from '#cache/policy.ts';
import {
  type Answer,
  type CallInput,
  type Endpoint,
  type Transport,
  toFormData,
} from '#contract/endpoint.ts';
import type { Context } from '#server/operations/context.ts';
import type { ErrorAnswer } from './error_answers.ts';
import { readInputBody } from './http_call.ts';
import type { Route } from './route.ts';
import { findRoute } from './routes.ts';

export interface DirectTransportOptions {
  /** Turns an error of a route into the answer that a client of the API gets. */
  readonly toErrorAnswer: (error: unknown, route: Route) => ErrorAnswer;
  /** The visitor's network, for rate limits. */
  readonly network: string;
  readonly token?: string;
  /** Called after each call; undefined when its answer must not be stored. */
  readonly onAnswer?: (status: number, policy: CachePolicy | undefined) => void;
}

/** Creates the transport by which pages of our own server call the API as one visitor. */
export function createDirectTransport(
  context: Context,
  { toErrorAnswer, network, token, onAnswer = () => {} }: DirectTransportOptions,
): Transport {
  /** The value has the type of the endpoint: `route()` has compared it with the route's. */
  function send<Output>(
    endpoint: Endpoint<CallInput, Output>,
    input: CallInput,
  ): Promise<Answer<Output>>;
  async function send(
    endpoint: Endpoint<CallInput, unknown>,
    input: CallInput,
  ): Promise<Answer<unknown>> {
    const route = findRoute(endpoint);
    try {
      const { value, cachePolicy } = await route.handleCall(context, {
        network,
        userAgent: undefined,
        authorization: token === undefined ? undefined : `Bearer ${token}`,
        path: { ...input.path },
        query: { ...input.query },
        header: { ...input.header },
        readBody: async (upload) => {
          if (endpoint.bodyKind !== 'multipart') return input.body;
          // Writes files to disk, as an upload over HTTP does.
          return readInputBody(route, context, toUploadRequest(input.body), upload);
        },
      });
      onAnswer(route.status, cachePolicy);
      return { ok: true, value };
    } catch (error) {
      const { status, headers: _, ...answer } = toErrorAnswer(error, route);
      onAnswer(status, undefined);
      const statusText = STATUS_CODES[status] ?? '';
      return { ok: false, status, statusText, ...answer };
    }
  }

  return { send };
}

function toUploadRequest(body: unknown): Request {
  return new Request('http://localhost', { method: 'POST', body: toFormData(body) });
}
