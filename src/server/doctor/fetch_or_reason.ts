import { errorCode } from '#server/database/error_code.ts';

const TIMEOUT_MS = 5000;

/** @returns the response, or why there was none, such as `ECONNREFUSED` */
export async function fetchOrReason(
  url: string,
  options: Pick<RequestInit, 'method' | 'redirect'> = {},
): Promise<Response | string> {
  try {
    return await fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      return `no answer within ${TIMEOUT_MS / 1000} s`;
    const cause = error instanceof Error ? error.cause : undefined;
    return errorCode(cause) ?? String(cause ?? error);
  }
}
