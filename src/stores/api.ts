import { type CallArguments, call } from '#client/call.ts';
import { createHttpTransport } from '#client/http.ts';
import type { CallInput, Endpoint, Transport } from '#contract/endpoint.ts';

/** Created at the first call, because pages are also rendered on our server, without a document. */
let http: Transport | null = null;

/** Calls an endpoint of the API without a login. @throws as `call` does */
export function callPublic<Input extends CallInput, Output>(
  endpoint: Endpoint<Input, Output>,
  ...args: CallArguments<Input>
): Promise<Output> {
  http ??= createHttpTransport(apiOrigin());
  return call(http, endpoint, ...args);
}

/** The origin of the API: the attribute `data-api` of `<html>`, or '' for the page's own origin. */
export function apiOrigin(): string {
  return document.documentElement.dataset['api'] ?? '';
}
