import { isClientMailKind, type MailData } from '#domain/notice.ts';
import { accountLetter } from './account_letter.ts';
import { artistLetter } from './artist_letter.ts';
import { calendarFor } from './calendar.ts';
import { clientLetter } from './client_letter.ts';
import { layOutHtml, layOutText } from './layout.ts';
import { type Letter, linkOf, type Site } from './letter.ts';
import type { Mail } from './mailer.ts';

/**
 * What a notice says as a mail.
 * @param token opens the way back in of a `password_recovery`
 */
export async function writeMail(
  site: Site,
  notice: MailData,
  token: string | null,
): Promise<Omit<Mail, 'id' | 'to'>> {
  const letter = letterFor(site, notice, token);
  const footer = footerFor(site, notice);
  const link = linkOf(letter);
  const calendar =
    'appointment' in notice ? await calendarFor(notice.kind, notice.appointment) : undefined;
  return {
    subject: letter.subject,
    text: layOutText(letter, footer),
    html: layOutHtml(letter, footer),
    ...(letter.replyTo !== null && { replyTo: letter.replyTo }),
    ...(link !== null && { link }),
    ...(calendar && { calendar }),
  };
}

function letterFor(site: Site, notice: MailData, token: string | null): Letter {
  if (!('appointment' in notice)) return accountLetter(site, notice, token);
  const { kind, appointment } = notice;
  return isClientMailKind(kind)
    ? clientLetter(site.siteUrl, kind, appointment)
    : artistLetter(site.siteUrl, kind, appointment);
}

function footerFor({ productName }: Site, notice: MailData): string {
  return 'appointment' in notice && isClientMailKind(notice.kind)
    ? `Sent by ${productName} for ${notice.appointment.studio.name}.`
    : `Sent by ${productName}.`;
}
