import type { Slot } from '#contract/availability.ts';
import type { ValidationItem } from '#contract/common.ts';
import type {
  CallInput,
  CallOptions,
  Endpoint,
  NoInput,
  RefusalDetails,
  Transport,
} from '#contract/endpoint.ts';
import type { AlikeDesign, RefusalReason } from '#domain/refusal.ts';

/** Shown when the API has sent no text. */
export const FALLBACK_TEXT = 'Something went wrong.';
/** Shown in place of the API's text for an unexpected error. */
const OUR_FAULT_TEXT = 'That was our fault, not yours.';

/** An error response of the API. `detail` is a text for people, or a list of invalid fields. */
export class ApiError extends Error implements RefusalDetails {
  readonly status: number;
  readonly statusText: string;
  readonly detail: string | ValidationItem[];
  readonly reason: RefusalReason | undefined;
  readonly challenge: unknown;
  readonly nearest: readonly Slot[];
  readonly alike: readonly AlikeDesign[];
  readonly requestId: unknown;

  constructor(
    status: number,
    statusText: string,
    detail: string | ValidationItem[],
    { reason, challenge, nearest = [], alike = [], requestId }: RefusalDetails = {},
  ) {
    super(status === 422 ? 'Validation Error' : `${status} ${statusText}`);
    this.name = 'ApiError';
    this.status = status;
    this.statusText = statusText;
    this.detail = detail;
    this.reason = reason;
    this.challenge = challenge;
    this.nearest = nearest;
    this.alike = alike;
    this.requestId = requestId;
  }
}

/** The arguments after the endpoint. The input may be left out if nothing in it is required. */
export type CallArguments<Input extends CallInput> = NoInput extends Input
  ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions];

/** Calls an endpoint of the API. @throws ApiError when the API refuses; other errors when there is no response */
export async function call<Input extends CallInput, Output>(
  transport: Transport,
  endpoint: Endpoint<Input, Output>,
  ...[input, options]: CallArguments<Input>
): Promise<Output> {
  const sent: CallInput = { ...input };
  const query = withoutEmpty(sent.query);
  const answer = await transport.send(endpoint, { ...sent, query }, options);
  if (answer.ok) return answer.value;
  throw new ApiError(answer.status, answer.statusText, answer.detail, answer);
}

/** The parameters without those that are undefined or empty. */
function withoutEmpty(query: object = {}): object {
  return Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== ''),
  );
}

/**
 * The text about a failure for people: the API's, or that of the first invalid field. If the server failed,
 * the text ends with the id by which the operator finds the request in the log.
 */
export function formatError(error: unknown): string {
  if (!(error instanceof ApiError)) return FALLBACK_TEXT;
  const { status, detail, requestId } = error;
  // The title of the toast already says that something went wrong.
  if (status === 500 && requestId) return `${OUR_FAULT_TEXT} (Reference: ${requestId})`;
  const text = typeof detail === 'string' ? detail : (detail[0]?.msg ?? FALLBACK_TEXT);
  return status >= 500 && requestId ? `${text} (Reference: ${requestId})` : text;
}
