/** Answers as plain text, to requests that neither the API nor a page answers. */
import type { ServerResponse } from 'node:http';
import { RETRY_AFTER_SECONDS, refusalAnswer } from '#server/api/error_answers.ts';
import { isDatabaseUnavailable } from '#server/database/connect.ts';
import { findRequest } from './request_context.ts';

interface PlainAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

const PLAIN_TEXT = { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' };

/** Sends a text, and closes the connection, because the body of the request stays unread. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...PLAIN_TEXT, Connection: 'close' }).end(text);
}

/** Answers 503, and leaves the connection open: a client can retry on it even if we refuse new connections. */
export function sendUnavailable(
  response: ServerResponse,
  reason: 'unavailable' | 'overloaded',
): void {
  const { status, headers, text } = unavailableAnswer(reason);
  response.writeHead(status, headers).end(text);
}

/** The answer to a request that an error fails: 503 while the database is down, else 500. */
export function failureAnswer(error: unknown): PlainAnswer {
  if (isDatabaseUnavailable(error)) return unavailableAnswer('unavailable');
  const headers = { ...PLAIN_TEXT, Connection: 'close' };
  return { status: 500, headers, text: withReference('Something went wrong.') };
}

function unavailableAnswer(reason: 'unavailable' | 'overloaded'): PlainAnswer {
  const { status, detail } = refusalAnswer(reason);
  const headers = { ...PLAIN_TEXT, 'Retry-After': String(RETRY_AFTER_SECONDS) };
  return { status, headers, text: withReference(detail) };
}

function withReference(text: string): string {
  const request = findRequest();
  return request ? `${text} (Reference: ${request.id})` : text;
}
