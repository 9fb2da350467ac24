import type { SendMailOptions } from 'nodemailer';
import { toOneLine } from '#domain/text/one_line.ts';
import type { Mail } from './mailer.ts';

/**
 * Converts a mail for nodemailer. Passes names and addresses separately: no name adds a recipient.
 * @param from the sender: `Linework <no-reply@book.example.com>`, or the address alone
 */
export function toNodemailerMessage(mail: Mail, from: string): SendMailOptions {
  const sender = parseSender(from);
  const { to, subject, text, html, replyTo, calendar, unsubscribeUrl } = mail;
  return {
    messageId: `<${mail.id}@${sender.address.split('@').at(-1)}>`,
    from: sender,
    to: { name: '', address: to },
    ...(replyTo && { replyTo: { name: '', address: replyTo } }),
    // A person's name in the subject could contain `=?…`, which mail programs decode (RFC 2047).
    subject: toOneLine(subject).replaceAll('=?', '= ?'),
    text,
    html,
    ...(calendar && { icalEvent: { ...calendar, filename: 'tattoo-appointment.ics' } }),
    // Prevents automatic replies (RFC 3834, 5).
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl && {
        // Prepared: nodemailer must not break the long link into several lines.
        'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    // Our mails contain all their data, so nodemailer need not load any file or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The address of a sender such as `Linework <no-reply@book.example.com>`. */
export function senderAddress(from: string): string {
  return parseSender(from).address;
}

function parseSender(from: string): { name: string; address: string } {
  const [, name = '', address = from] = /^([^<]*)<([^>]*)>$/.exec(from) ?? [];
  return { name: toOneLine(name).replace(/^"(.*)"$/, '$1'), address };
}
