import * as z from 'zod/mini';
import type { ValidationItem } from '#contract/common.ts';
import { refuse } from '#domain/refusal.ts';

const MAX_BODY_BYTES = 256 * 1024;

/** What was sent does not fit its schemas; all that is wrong with it. */
export class InvalidRequest extends Error {
  readonly items: readonly ValidationItem[];

  constructor(items: readonly ValidationItem[]) {
    super('Invalid request');
    this.name = 'InvalidRequest';
    this.items = items;
  }
}

/**
 * What was sent, judged as a whole.
 * @throws InvalidRequest with everything that is wrong
 */
export function parseInput<T extends z.core.$ZodType>(schema: T, sent: unknown): z.output<T> {
  const result = z.safeParse(schema, sent);
  if (result.success) return result.data;
  throw new InvalidRequest(result.error.issues.flatMap(toValidationItems));
}

/**
 * The body of a request, not yet judged.
 * @throws Refusal `wrong_media_type`, `too_large`
 * @throws InvalidRequest when it is not the JSON it says it is
 */
export async function readBody(request: Request, kind: 'json' | 'form' | 'raw'): Promise<unknown> {
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (Number(request.headers.get('Content-Length') ?? 0) > MAX_BODY_BYTES)
    throw refuse('too_large');
  const text = await readText(request);
  if (kind === 'raw') return text;
  if (type === undefined && text === '') return undefined;
  if (type !== (kind === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'))
    throw refuse('wrong_media_type');
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
  for await (const chunk of request.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw refuse('too_large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function toValidationItems(issue: z.core.$ZodIssue): ValidationItem[] {
  const loc = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      type: 'extra_forbidden',
      loc: [...loc, key],
      msg: 'Unknown field',
    }));
  return [{ type: issue.code, loc, msg: issue.message }];
}
