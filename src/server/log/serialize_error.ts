import { redactEmails } from '#domain/mail/redact_emails.ts';
import { errorCode } from '#server/database/error_code.ts';

const MAX_CAUSES = 5;
/** A longer text is cut, so that its redaction takes no time worth mentioning. */
const MAX_LENGTH = 8000;
/** As much is removed from the end of a text that was cut, because it may be half an email or id. */
const MAX_EMAIL_LENGTH = 320;
/** A JSON Web Token (RFC 7519). */
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** An appointment's id lets everyone open it. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** The codes of PostgreSQL's class 22: it quotes the value that it cannot read. */
const DATA_EXCEPTION = /^22\w{3}$/;

/** The parts of an error that a log line shows. */
export interface SerializedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
  readonly cause?: SerializedError;
}

/**
 * Takes the parts of an error that a log line shows, without emails and ids. Other properties are
 * left out: PostgreSQL's errors hold the values of rows, a card provider's its whole response.
 * @param depth how many errors of the chain come before this cause; 0 for the error itself
 */
export function serializeError(error: unknown, depth = 0): SerializedError {
  if (!(error instanceof Error))
    return {
      type: typeof error,
      message: redact(hasMessage(error) ? error.message : String(error)),
    };
  const code = errorCode(error);
  return {
    type: error.name,
    // Libraries may set anything.
    message: redact(String(error.message), code),
    ...(error.stack !== undefined && { stack: redact(String(error.stack), code) }),
    ...(code !== undefined && { code }),
    ...(error.cause !== undefined &&
      depth < MAX_CAUSES && { cause: serializeError(error.cause, depth + 1) }),
  };
}

/** Whether a thrown value has a message, also if a library threw it and it is not an `Error`. */
export function hasMessage(error: unknown): error is { readonly message: string } {
  return (
    typeof error === 'object' &&
    error !== null &&
    'message' in error &&
    typeof error.message === 'string'
  );
}

/** Removes emails, tokens and UUIDs; for an error of `DATA_EXCEPTION`, also the quoted value. */
function redact(text: string, code = ''): string {
  const isCut = text.length > MAX_LENGTH;
  const redacted = redactEmails(text.slice(0, MAX_LENGTH).replace(TOKEN, '…')).replace(UUID, '…');
  const whole = isCut ? redacted.slice(0, -MAX_EMAIL_LENGTH) : redacted;
  if (!DATA_EXCEPTION.test(code)) return whole;
  // The end of a value may be cut off.
  return whole.replace(isCut ? /: ".*/s : /: ".*"/s, ': "…"');
}
