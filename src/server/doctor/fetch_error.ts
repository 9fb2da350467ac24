import { errorCode } from '#server/database/error_code.ts';

/** How long a check waits for an answer by HTTP. */
export const FETCH_TIMEOUT_MS = 5000;

/** Why `fetch` got no answer, such as `ECONNREFUSED`. */
export function describeFetchError(reason: unknown): string {
  if (reason instanceof DOMException && reason.name === 'TimeoutError')
    return `no answer within ${FETCH_TIMEOUT_MS / 1000} s`;
  const cause = reason instanceof Error ? reason.cause : undefined;
  return errorCode(cause) ?? String(cause ?? reason);
}
