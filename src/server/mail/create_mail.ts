import { isClientMailKind, type MailData } from '#domain/mail.ts';
import { createAccountMail } from './account_mail.ts';
import { createArtistMail } from './artist_mail.ts';
import { createCalendarAttachment } from './calendar_attachment.ts';
import { createClientMail } from './client_mail.ts';
import { firstLink, type MailContent, type Site } from './mail_content.ts';
import type { Mail } from './mailer.ts';
import { renderHtml, renderText } from './render_mail.ts';

/**
 * What a notice says as a mail.
 * @param token opens the way back in of a `password_recovery`
 */
export async function createMail(
  site: Site,
  notice: MailData,
  token: string | null,
): Promise<Omit<Mail, 'id' | 'to'>> {
  const letter = contentFor(site, notice, token);
  const footer = footerFor(site, notice);
  const link = firstLink(letter);
  const calendar =
    'appointment' in notice
      ? await createCalendarAttachment(notice.kind, notice.appointment)
      : undefined;
  return {
    subject: letter.subject,
    text: renderText(letter, footer),
    html: renderHtml(letter, footer),
    ...(letter.replyTo !== null && { replyTo: letter.replyTo }),
    ...(link !== null && { link }),
    ...(calendar && { calendar }),
  };
}

function contentFor(site: Site, notice: MailData, token: string | null): MailContent {
  if (!('appointment' in notice)) return createAccountMail(site, notice, token);
  const { kind, appointment } = notice;
  return isClientMailKind(kind)
    ? createClientMail(site.siteUrl, kind, appointment)
    : createArtistMail(site.siteUrl, kind, appointment);
}

function footerFor({ productName }: Site, notice: MailData): string {
  return 'appointment' in notice && isClientMailKind(notice.kind)
    ? `Sent by ${productName} for ${notice.appointment.studio.name}.`
    : `Sent by ${productName}.`;
}
