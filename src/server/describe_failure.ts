import { toOneLine } from '#domain/one_line.ts';
import { Refusal } from '#domain/refusal.ts';
import { refusalAnswer } from './api/error_answers.ts';
import { ConfigError } from './config.ts';
import { errorCode } from './database/error_code.ts';
import { MailFailure } from './mail/mailer.ts';

/** Node's errors that an operator can mend, by their codes. */
const SYSTEM_ERRORS: Readonly<Record<string, (place: string) => string>> = {
  ENOSPC: (place) => `The disk is full${place}. Free space on it.`,
  EDQUOT: (place) => `The disk quota of this user is used up${place}. Free space, or raise it.`,
  EACCES: (place) =>
    `This user has no access${place}. Give it access, or run this as another user.`,
  EPERM: (place) => `This user has no right to do this${place}. Run this as the owner of the file.`,
  EROFS: (place) =>
    `The disk can only be read${place}. Mount it for writing, or use another folder.`,
  ENOENT: (place) => `A file or folder is missing${place}.`,
  ENOTDIR: (place) => `A file is where a folder should be${place}. Move the file away.`,
  EMFILE: () => 'This process may open no more files. Raise its limit (ulimit -n).',
  ECONNREFUSED: (place) =>
    `Nothing listens${place}. Start the server there, or correct its address.`,
  ENOTFOUND: (place) => `No machine has this name${place}. Correct the address.`,
};

/**
 * The sentence with which a command ends when it fails. Only unexpected errors have a stack, and only
 * with `LOG_LEVEL=debug`.
 */
export function describeFailure(error: unknown, isDebug: boolean): string {
  if (error instanceof ConfigError || error instanceof MailFailure) return error.message;
  if (error instanceof Refusal) return refusalAnswer(error.reason).detail;
  const known = SYSTEM_ERRORS[errorCode(error) ?? ''];
  const sentence = known?.(describePlace(error)) ?? describeUnknown(error);
  const stack = isDebug && error instanceof Error ? `\n${error.stack}` : '';
  return `${sentence}${stack}`;
}

function describeUnknown(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `This failed unexpectedly: ${toOneLine(text).replace(/\.$/, '')}. LOG_LEVEL=debug shows where.`;
}

/** Such as `: /var/lib/linework` or `: 10.0.0.5:5432`; empty if the error names no place. */
function describePlace(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('path' in error && typeof error.path === 'string') return `: ${error.path}`;
  if ('address' in error && 'port' in error) return `: ${error.address}:${error.port}`;
  return 'hostname' in error ? `: ${error.hostname}` : '';
}
