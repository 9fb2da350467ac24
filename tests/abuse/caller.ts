/** Calls of scripts that come from many addresses. */
import { type ApiResponse, type CallOptions, callApi } from '#support/call_api.ts';
import type { RunningServer } from '#support/sandbox.ts';

/** Calls the API from an address: a server trusts `X-Forwarded-For` of its own machine. */
export function callFrom<T = unknown>(
  server: RunningServer,
  address: string,
  operation: string,
  options: CallOptions = {},
): Promise<ApiResponse<T>> {
  const headers = { ...options.headers, 'X-Forwarded-For': address };
  return callApi<T>(fetch, new URL(server.url).origin, operation, { ...options, headers });
}

/** The nth address of a script, each in a network of its own. */
export function addressOf(n: number): string {
  return `198.${18 + Math.floor(n / 250)}.${n % 250}.1`;
}
