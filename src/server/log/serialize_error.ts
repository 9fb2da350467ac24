import { redactEmails } from '#domain/mail/redact_emails.ts';
import { errorCode } from '#server/database/error_code.ts';

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
 * @param depth of a cause, how many errors it has caused
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

/** Also true for values thrown by libraries that throw no `Error`. */
export function hasMessage(error: unknown): error is { readonly message: string } {
  return (
    typeof error === 'object' &&
    error !== null &&
    'message' in error &&
    typeof error.message === 'string'
  );
}

const MAX_CAUSES = 5;
/** A longer text is cut, so that its redaction takes no time worth mentioning. */
const MAX_LENGTH = 8000;
/** As much is removed from the end of a text that was cut, because it may be half an email or id. */
const MAX_EMAIL_LENGTH = 320;
/** A JSON Web Token (RFC 7519). */
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** An appointment's id lets everyone open it. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** PostgreSQL quotes a value that it cannot read (class 22). */
const DATA_EXCEPTION = /^22\w{3}$/;

function redact(text: string, code = ''): string {
  const isCut = text.length > MAX_LENGTH;
  const redacted = redactEmails(text.slice(0, MAX_LENGTH).replace(TOKEN, '…')).replace(UUID, '…');
  const whole = isCut ? redacted.slice(0, -MAX_EMAIL_LENGTH) : redacted;
  if (!DATA_EXCEPTION.test(code)) return whole;
  // The end of a value may be cut off.
  return whole.replace(isCut ? /: ".*/s : /: ".*"/s, ': "…"');
}
