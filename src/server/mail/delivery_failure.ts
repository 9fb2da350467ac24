import type { NodemailerError } from 'nodemailer';
import { MailFailure } from './mailer.ts';
import { toOneLine } from './nodemailer_message.ts';

/** Longer answers are cut: they are read beside the mail that failed. */
const MAX_REPLY_LENGTH = 200;

/** What a mail server's refusal, or its absence, means for the mail. */
export function toSmtpFailure(error: unknown): MailFailure {
  if (!(error instanceof Error)) return new MailFailure('It could not be sent.', false, error);
  return new MailFailure(describeSmtpError(error), isPermanentFailure(error), error);
}

/** What it means that a mail could not be written into a file: more room, or other rights, help. */
export function toFileFailure(error: unknown): MailFailure {
  const code = codeOf(error);
  const why = code === 'ENOSPC' ? 'the disk is full' : `${code ?? 'an unknown error'}`;
  return new MailFailure(`It could not be written to a file: ${why}.`, false, error);
}

function describeSmtpError(error: NodemailerError): string {
  const { code, responseCode, response } = error;
  // In its answer to a login a server may repeat the name.
  if (code === 'EAUTH')
    return `The mail server did not accept our login (${responseCode ?? code}).`;
  if (response) return `The mail server refused it: ${redactAddresses(response)}`;
  if (code === 'ETIMEDOUT') return 'The mail server did not answer in time.';
  if (code === 'EDNS') return 'The mail server was not found under its name.';
  const cause = error.originalCode ?? code ?? error.name;
  if (code === 'ETLS' || cause.startsWith('ERR_SSL'))
    return 'No secure connection to the mail server could be made: try smtp:// for smtps://, or the other way round.';
  return `The mail server could not be reached (${cause}).`;
}

/**
 * Only what a server says for good of this reader or this mail. Whatever it says of ourselves, as
 * that we must log in first or may not send through it, is for the operator to mend.
 */
function isPermanentFailure(error: NodemailerError): boolean {
  const { code, command } = error;
  if (!(code === 'EENVELOPE' && command === 'RCPT TO') && code !== 'EMESSAGE') return false;
  return (error.rejectedErrors ?? [error]).every(
    ({ permanent, responseCode = 0, response = '' }) =>
      permanent === true && !isAuthenticationReply(responseCode) && !/\brelay/i.test(response),
  );
}

/** 530 to 539 (RFC 4954, 6). */
function isAuthenticationReply(responseCode: number): boolean {
  return responseCode >= 530 && responseCode < 540;
}

/** An answer on one line and without addresses, which servers like to repeat. */
function redactAddresses(answer: string): string {
  const line = toOneLine(answer).replace(/<?(?:"[^"]*"|[^\s<>"]+)@[^\s<>]+>?/g, '…');
  return line.length > MAX_REPLY_LENGTH ? `${line.slice(0, MAX_REPLY_LENGTH)}…` : line;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
