import { isClientMailKind, type MailData } from '#domain/mail.ts';
import { createAccountMail } from './account_mail.ts';
import { createArtistMail } from './artist_mail.ts';
import { createCalendarAttachment } from './calendar_attachment.ts';
import { createClientMail } from './client_mail.ts';
import type { MailContent, Site } from './mail_content.ts';
import type { Mail } from './mailer.ts';
import { renderHtml, renderText } from './render_mail.ts';

/**
 * Renders a mail as text and HTML, with a calendar file if the mail changes the client's calendar.
 * @param token for the link: a one-time token of a `password_recovery` mail, or the token by which a
 *   client proves their email; null for other mails
 */
export async function createMail(
  site: Site,
  data: MailData,
  token: string | null,
): Promise<Omit<Mail, 'id' | 'to'>> {
  const content = createContent(site, data, token);
  const footer = createFooter(site, data);
  const mainButton = content.blocks.find((block) => 'button' in block);
  const calendar =
    'appointment' in data ? await createCalendarAttachment(data.kind, data.appointment) : undefined;
  return {
    subject: content.subject,
    text: renderText(content, footer),
    html: renderHtml(content, footer),
    ...(content.replyTo !== null && { replyTo: content.replyTo }),
    ...(mainButton && { link: mainButton.link }),
    ...(calendar && { calendar }),
  };
}

function createContent(site: Site, data: MailData, token: string | null): MailContent {
  if (!('appointment' in data)) return createAccountMail(site, data, token);
  const { kind, appointment } = data;
  return isClientMailKind(kind)
    ? createClientMail(site.siteUrl, kind, appointment, token)
    : createArtistMail(site.siteUrl, kind, appointment);
}

function createFooter({ productName }: Site, data: MailData): string {
  return 'appointment' in data && isClientMailKind(data.kind)
    ? `Sent by ${productName} for ${data.appointment.studio.name}.`
    : `Sent by ${productName}.`;
}
