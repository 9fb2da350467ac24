/** Converts delivery errors to `MailFailure`, with a text for the artist or the operator. */
import type { NodemailerError } from 'nodemailer';
import { redactEmails } from '#domain/mail/redact_emails.ts';
import { toOneLine } from '#domain/text/one_line.ts';
import { MailFailure } from './mailer.ts';

/** In characters; longer replies of the mail server are cut. */
const MAX_REPLY_LENGTH = 200;

/** @param error of nodemailer */
export function toSmtpFailure(error: unknown): MailFailure {
  if (!(error instanceof Error))
    return new MailFailure('It could not be sent.', {
      isPermanent: false,
      mayHaveArrived: true,
      cause: error,
    });
  return new MailFailure(describeSmtpError(error), {
    isPermanent: isPermanentFailure(error),
    mayHaveArrived: !isCertainFailure(error),
    cause: error,
  });
}

/** The codes of failures before the mail was handed over: the server was not reached, or refused us or the address. */
const CONNECT_CODES = new Set([
  'EDNS',
  'EAUTH',
  'EENVELOPE',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/**
 * Whether the mail server has certainly not accepted the mail: it refused it, or was not reached. A
 * connection that was lost or silent may have been lost after the mail was accepted.
 */
function isCertainFailure(error: NodemailerError): boolean {
  const { code = '', originalCode = '', responseCode, timeoutType } = error;
  if (responseCode !== undefined || timeoutType === 'CONNECT_TIMEOUT') return true;
  return CONNECT_CODES.has(code) || CONNECT_CODES.has(originalCode);
}

/** Failures to write a mail to a file are temporary: the operator can free space, for example. */
export function toFileFailure(error: unknown): MailFailure {
  const code = codeOf(error);
  const reason = code === 'ENOSPC' ? 'the disk is full' : (code ?? 'an unknown error');
  const text = `It could not be written to a file: ${reason}.`;
  return new MailFailure(text, { isPermanent: false, cause: error });
}

function describeSmtpError(error: NodemailerError): string {
  const { code, responseCode, response } = error;
  // The mail server's reply is left out, because it may repeat our user name.
  if (code === 'EAUTH')
    return `The mail server did not accept our login (${responseCode ?? code}).`;
  if (response) return `The mail server refused it: ${redactReply(response)}`;
  if (code === 'ETIMEDOUT') return 'The mail server did not answer in time.';
  if (code === 'EDNS') return 'The mail server was not found under its name.';
  const cause = error.originalCode ?? code ?? error.name;
  if (code === 'ETLS' || cause.startsWith('ERR_SSL'))
    return 'No secure connection to the mail server could be made: try smtp:// for smtps://, or the other way round.';
  return `The mail server could not be reached (${cause}).`;
}

/**
 * True when the mail server permanently refuses this recipient or this mail. A refusal of our login
 * or of mail to other servers (relaying) is temporary: the operator can correct the settings.
 */
function isPermanentFailure(error: NodemailerError): boolean {
  const { code, command } = error;
  const refusesRecipient = code === 'EENVELOPE' && command === 'RCPT TO';
  if (!refusesRecipient && code !== 'EMESSAGE') return false;
  return (error.rejectedErrors ?? [error]).every(
    ({ permanent, responseCode = 0, response = '' }) =>
      permanent === true && !isAuthenticationReply(responseCode) && !/\brelay/i.test(response),
  );
}

/** Whether the reply is about the login (RFC 4954, 6). */
function isAuthenticationReply(responseCode: number): boolean {
  return responseCode >= 530 && responseCode < 540;
}

/** Hides email addresses, which mail servers often repeat in replies, and cuts a long reply. */
function redactReply(reply: string): string {
  const line = redactEmails(toOneLine(reply));
  return line.length > MAX_REPLY_LENGTH ? `${line.slice(0, MAX_REPLY_LENGTH)}…` : line;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
