/** Reads and validates the input of API requests. */
import * as z from 'zod/mini';
import { MAX_VALIDATION_ITEMS, type ValidationItem } from '#contract/common.ts';
import { plainError } from '#contract/plain_errors.ts';
import { refuse } from '#domain/refusal.ts';

const MEDIA_TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

/** The body is malformed, or the input does not match its schema; `items` lists the first errors. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';
  readonly items: readonly ValidationItem[];

  constructor(items: readonly ValidationItem[]) {
    super('Invalid request');
    this.items = items;
  }
}

/** Validates input. @throws InvalidRequest with the first errors, because a client can cause very many */
export function parseInput<T extends z.core.$ZodType>(schema: T, input: unknown): z.output<T> {
  const result = z.safeParse(schema, input, { error: plainError });
  if (result.success) return result.data;
  const { issues } = result.error;
  const items = issues.slice(0, MAX_VALIDATION_ITEMS).flatMap(toValidationItems);
  throw new InvalidRequest(items.slice(0, MAX_VALIDATION_ITEMS));
}

/**
 * Reads a request body without validating its fields. A `raw` body is returned as text.
 * @param maxBytes a longer body is refused before it is parsed
 * @returns undefined for a JSON or form request that has neither a body nor a `Content-Type`
 * @throws Refusal `wrong_media_type`, `body_too_large`
 * @throws InvalidRequest when the text is not UTF-8, or the JSON is malformed
 */
export async function readBody(
  request: Request,
  kind: 'json' | 'form' | 'raw',
  maxBytes: number,
): Promise<unknown> {
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) throw refuse('body_too_large');
  const text = await readText(request, maxBytes);
  if (kind === 'raw') return text;
  const mediaType = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType === undefined && text === '') return undefined;
  if (mediaType !== MEDIA_TYPES[kind]) throw refuse('wrong_media_type');
  if (kind === 'form') return decodeParameters(text, 'body');
  try {
    // Only an escape can bring half a surrogate pair; PostgreSQL would store it as U+FFFD.
    return JSON.parse(text, /\\ud[89a-f]/i.test(text) ? requireWellFormed : undefined);
  } catch {
    throw new InvalidRequest([{ type: 'json_invalid', loc: ['body'], msg: 'Not valid JSON' }]);
  }
}

/**
 * Reads the parameters of a form or of a query.
 * @param part of the request, for the error
 * @throws InvalidRequest when they encode bytes that are not UTF-8, which `URLSearchParams` would replace
 */
export function decodeParameters(text: string, part: 'body' | 'query'): Record<string, string> {
  try {
    // A percent sign without two hexadecimal digits stands for itself, so it is left out of the check.
    decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, ''));
  } catch {
    throw notUtf8(part);
  }
  return Object.fromEntries(new URLSearchParams(text));
}

/** A reviver of `JSON.parse` that refuses names and texts with half a surrogate pair. */
function requireWellFormed(key: string, value: unknown): unknown {
  if (key.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())) return value;
  throw new Error('Half a surrogate pair');
}

function notUtf8(part: 'body' | 'query'): InvalidRequest {
  return new InvalidRequest([{ type: 'not_utf8', loc: [part], msg: 'Not valid UTF-8' }]);
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  if (request.body === null) return '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw notUtf8('body');
    }
  };
  let text = '';
  let bytes = 0;
  // `readBody` has checked `Content-Length`, but it may be missing or wrong.
  for await (const chunk of request.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw refuse('body_too_large');
    text += decode(chunk);
  }
  return text + decode();
}

function toValidationItems(issue: z.core.$ZodIssue): ValidationItem[] {
  const loc = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  if (issue.code !== 'unrecognized_keys') return [{ type: issue.code, loc, msg: issue.message }];
  // One issue of zod contains all unknown fields of an object: list each as its own error.
  const msg = 'Unknown field';
  return issue.keys
    .slice(0, MAX_VALIDATION_ITEMS)
    .map((key) => ({ type: 'extra_forbidden', loc: [...loc, key], msg }));
}
