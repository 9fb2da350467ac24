import type { SendMailOptions } from 'nodemailer';
import type { Mail } from './mailer.ts';

/**
 * A mail as nodemailer takes it. Addresses go in apart from names, so that no name can add one.
 * @param from `Linework <no-reply@book.example.com>`, or the address alone
 */
export function toNodemailerMessage(mail: Mail, from: string): SendMailOptions {
  const sender = parseSender(from);
  const { to, subject, text, html, replyTo, calendar } = mail;
  return {
    messageId: `<${mail.id}@${sender.address.split('@').at(-1)}>`,
    from: sender,
    to: { name: '', address: to },
    ...(replyTo && { replyTo: { name: '', address: replyTo } }),
    // An encoded word (RFC 2047) in what people are called would be read as what it encodes.
    subject: toOneLine(subject).replaceAll('=?', '= ?'),
    text,
    html,
    ...(calendar && { icalEvent: { ...calendar, filename: 'tattoo-appointment.ics' } }),
    // So that no holiday notice answers it (RFC 3834, 5).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function parseSender(from: string): { name: string; address: string } {
  const [, name = '', address = from] = /^([^<]*)<([^>]*)>$/.exec(from) ?? [];
  return { name: toOneLine(name).replace(/^"(.*)"$/, '$1'), address };
}

/** A text on one line, without signs that turn the reading of what follows around. */
export function toOneLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
