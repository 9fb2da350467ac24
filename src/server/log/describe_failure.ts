import { Refusal } from '#domain/refusal.ts';
import { toOneLine } from '#domain/text/one_line.ts';
import { refusalAnswer } from '#server/api/error_answers.ts';
import { errorCode } from '#server/database/error_code.ts';
import { MailFailure } from '#server/mail/mailer.ts';
import { ConfigError } from '#server/settings/config.ts';

/** By a code of Node or PostgreSQL, or the name of a bucket's error. `{place}` is from `describePlace`. */
const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full{place}. Free space on it.',
  EDQUOT: 'The disk quota of this user is used up{place}. Free space, or raise it.',
  EACCES: 'This user has no access{place}. Give it access, or run this as another user.',
  EPERM: 'This user has no right to do this{place}. Run this as the owner of the file.',
  EROFS: 'The disk can only be read{place}. Mount it for writing, or use another folder.',
  ENOENT: 'A file or folder is missing{place}.',
  ENOTDIR: 'A file is where a folder should be{place}. Move the file away.',
  EMFILE: 'This process may open no more files. Raise its limit (ulimit -n).',
  ENFILE: 'This machine may open no more files. Raise its limit (sysctl fs.file-max).',
  ECONNREFUSED: 'Nothing listens{place}. Start the server there, or correct its address.',
  ECONNRESET: 'The connection was cut{place}. Try again.',
  ETIMEDOUT: 'No answer came in time{place}. Correct the address, or open the firewall.',
  EAI_AGAIN: 'The host name could not be looked up{place}. Check the network.',
  EISDIR: 'This is a folder, not a file{place}.',
  EIO: 'The disk reports an error{place}. It may be broken.',
  '53100': 'The disk of the database is full. Free some space on it.',
  '53300': 'The database has no connection left. Raise its max_connections.',
  '57P01': 'The database was stopped meanwhile. Try again.',
  '57P03': 'The database is starting or stopping. Try again in a moment.',
  NoSuchBucket: 'The bucket does not exist. Create it with: npm run bucket',
  AccessDenied: 'The bucket refuses access. Check S3_ACCESS_KEY_ID and its permissions.',
  InvalidAccessKeyId: 'The bucket does not know S3_ACCESS_KEY_ID. Correct it.',
  SignatureDoesNotMatch: 'The bucket refuses S3_SECRET_ACCESS_KEY. Correct it.',
  AbortError: 'The command was interrupted.',
  ENOTFOUND: 'No machine has this name{place}. Correct the address.',
};

/**
 * The sentence with which a command ends when it fails. Only unexpected errors have a stack, and only
 * with `LOG_LEVEL=debug`.
 */
export function describeFailure(error: unknown, isDebug: boolean): string {
  if (error instanceof ConfigError || error instanceof MailFailure) return error.message;
  if (error instanceof Refusal) return refusalAnswer(error.reason).detail;
  const known = SYSTEM_ERRORS[errorCode(error) ?? (error instanceof Error ? error.name : '')];
  const sentence = known?.replace('{place}', () => describePlace(error)) ?? describeUnknown(error);
  const stack = isDebug && error instanceof Error ? `\n${error.stack}` : '';
  return `${sentence}${stack}`;
}

function describeUnknown(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `This failed unexpectedly: ${toOneLine(text).replace(/\.$/, '')}. LOG_LEVEL=debug shows where.`;
}

/** The place that an error names, such as `: /var/lib/linework` or `: 10.0.0.5:5432`; empty without one. */
function describePlace(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('path' in error && typeof error.path === 'string') return `: ${error.path}`;
  if ('address' in error && 'port' in error) return `: ${error.address}:${error.port}`;
  return 'hostname' in error ? `: ${error.hostname}` : '';
}
