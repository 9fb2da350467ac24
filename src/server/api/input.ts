/** Reads and validates the input of API requests. */
import * as z from 'zod/mini';
import type { ValidationItem } from '#contract/common.ts';
import { plainError } from '#contract/plain_errors.ts';
import { refuse } from '#domain/refusal.ts';

const MAX_BODY_BYTES = 256 * 1024;
const MEDIA_TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

/** The body is malformed, or the input does not match its schema; `items` lists every error. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';
  readonly items: readonly ValidationItem[];

  constructor(items: readonly ValidationItem[]) {
    super('Invalid request');
    this.items = items;
  }
}

/** @throws InvalidRequest with every validation error */
export function parseInput<T extends z.core.$ZodType>(schema: T, input: unknown): z.output<T> {
  const result = z.safeParse(schema, input, { error: plainError });
  if (result.success) return result.data;
  throw new InvalidRequest(result.error.issues.flatMap(toValidationItems));
}

/**
 * Reads a request body without validating its fields. A `raw` body is returned as text.
 * @returns undefined for a JSON or form request that has neither a body nor a `Content-Type`
 * @throws Refusal `wrong_media_type`, `body_too_large`
 * @throws InvalidRequest when the JSON is malformed
 */
export async function readBody(request: Request, kind: 'json' | 'form' | 'raw'): Promise<unknown> {
  if (Number(request.headers.get('Content-Length') ?? 0) > MAX_BODY_BYTES)
    throw refuse('body_too_large');
  const text = await readText(request);
  if (kind === 'raw') return text;
  const mediaType = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType === undefined && text === '') return undefined;
  if (mediaType !== MEDIA_TYPES[kind]) throw refuse('wrong_media_type');
  if (kind === 'form') return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidRequest([{ type: 'json_invalid', loc: ['body'], msg: 'Not valid JSON' }]);
  }
}

async function readText(request: Request): Promise<string> {
  if (request.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // `readBody` has checked `Content-Length`, but it may be missing or wrong.
  for await (const chunk of request.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw refuse('body_too_large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Converts an issue of zod to errors with the fields that the API contract demands. */
function toValidationItems(issue: z.core.$ZodIssue): ValidationItem[] {
  const loc = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  if (issue.code !== 'unrecognized_keys') return [{ type: issue.code, loc, msg: issue.message }];
  // One issue of zod contains all unknown fields of an object: list each as its own error.
  const msg = 'Unknown field';
  return issue.keys.map((key) => ({ type: 'extra_forbidden', loc: [...loc, key], msg }));
}
