import { formatTimeWithZone } from '#domain/format_time.ts';
import type { AppointmentMailData, MailData } from '#domain/mail.ts';
import type { ContentBlock, MailContent, Site } from './mail_content.ts';

type AccountNotice = Exclude<MailData, AppointmentMailData>;

/**
 * What an artist reads of their account and page.
 * @param token opens the way back in of a `password_recovery`
 */
export function createAccountMail(
  site: Site,
  notice: AccountNotice,
  token: string | null,
): MailContent {
  const { subject, blocks } = textsFor(site, notice, token);
  return {
    subject,
    replyTo: notice.kind === 'contact_message' ? notice.message.email : null,
    blocks: [{ text: `Hi ${notice.artist.name},` }, ...blocks],
  };
}

function textsFor(
  { productName, siteUrl }: Site,
  notice: AccountNotice,
  token: string | null,
): { readonly subject: string; readonly blocks: readonly ContentBlock[] } {
  switch (notice.kind) {
    case 'contact_message': {
      const { name, email, text } = notice.message;
      return {
        subject: `Message from ${name}`,
        blocks: [
          { text: 'Someone wrote to you through your page.' },
          { details: [['From', [name, email]]] },
          { quote: text, by: `${name} wrote` },
          { text: `An answer to this mail goes to ${name}.` },
        ],
      };
    }
    case 'welcome':
      return {
        subject: `Welcome to ${productName}`,
        blocks: [
          {
            text: 'Your studio is ready. Set your opening hours and add what clients can book, then share your page.',
          },
          { button: 'Open Your Studio', link: `${siteUrl}/studio` },
          { button: 'Your Public Page', link: `${siteUrl}/${notice.artist.username}` },
        ],
      };
    case 'password_recovery':
      return {
        subject: `${productName}: choose a new password`,
        blocks: [
          {
            text: `Someone, hopefully you, asked for a way back into your ${productName} account.`,
          },
          {
            button: 'Choose a New Password',
            link: `${siteUrl}/reset-password?token=${encodeURIComponent(token ?? '')}`,
          },
          { text: 'The link works once, within one hour.' },
          { text: 'If it was not you, ignore this mail: your password stays as it is.' },
        ],
      };
    case 'password_changed':
      return {
        subject: `${productName}: your password was changed`,
        blocks: [
          { text: `The password of your ${productName} account was changed just now.` },
          { text: 'If it was you, all is well. If it was not, choose a new one at once.' },
          { button: 'Get Back In', link: `${siteUrl}/recover-password` },
        ],
      };
    case 'payment_failed':
      return {
        subject: `${productName}: a payment failed`,
        blocks: [
          {
            text: `The payment for your ${productName} subscription did not go through. You still take bookings until ${formatTimeWithZone(notice.until, notice.zone)}. After that, your page stays up but says that you are not taking bookings.`,
          },
          { text: 'Please check your card, or pay with another.' },
          { button: 'Open Billing', link: `${siteUrl}/studio/billing` },
        ],
      };
    case 'subscription_ended':
      return {
        subject: `${productName}: your subscription has ended`,
        blocks: [
          {
            text: `Your ${productName} subscription has ended: since ${formatTimeWithZone(notice.until, notice.zone)}, you are not taking bookings. Your page stays up and says so; what is booked stays booked.`,
          },
          { text: 'Subscribe again, and bookings open at once.' },
          { button: 'Open Billing', link: `${siteUrl}/studio/billing` },
        ],
      };
  }
}
