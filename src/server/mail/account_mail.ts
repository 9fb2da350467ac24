import { formatTimeWithZone } from '#domain/format_time_with_zone.ts';
import { nameOrEmail, shownEmail, withoutLinks } from '#domain/link_text.ts';
import type { AppointmentMailData, LinksMailData, MailData } from '#domain/mail.ts';
import { timeZoneCity } from '#domain/time_zone.ts';
import { greeting } from './greeting.ts';
import type { ContentBlock, DetailLine, MailContent, MailOptions, Site } from './mail_content.ts';

type AccountMailData = Exclude<MailData, AppointmentMailData | LinksMailData>;

interface AccountMailTexts {
  readonly subject: string;
  /** A string is a paragraph. */
  readonly blocks: readonly (string | ContentBlock)[];
}

/**
 * The content of a mail to an artist about their account or page.
 * Until the artist's email is proven it may be a stranger's, so the mail has no text that somebody
 * typed, and no name.
 */
export function createAccountMail(
  site: Site,
  data: AccountMailData,
  { token, isArtistProven }: Pick<MailOptions, 'token' | 'isArtistProven'>,
): MailContent {
  const hidesMessage = data.kind === 'contact_message' && !isArtistProven;
  const shown =
    data.kind === 'data_requested' && !isArtistProven ? withoutClientDetails(data) : data;
  const { subject, blocks } = hidesMessage ? hiddenMessage(site) : createTexts(site, shown, token);
  const name = isArtistProven ? withoutLinks(data.artist.name) : null;
  return {
    subject,
    replyTo: isArtistProven ? emailOfSender(data) : null,
    blocks: [greeting(name, true), ...blocks].map((block) =>
      typeof block === 'string' ? { text: block } : block,
    ),
  };
}

type DataRequestMail = Extract<AccountMailData, { kind: 'data_requested' }>;

function withoutClientDetails(data: DataRequestMail): DataRequestMail {
  return { ...data, client: { id: data.client.id, name: null, email: null } };
}

/** Who gets an answer to the mail; null for nobody. */
function emailOfSender(data: AccountMailData): string | null {
  if (data.kind === 'contact_message') return data.message.email;
  return data.kind === 'data_requested' ? data.client.email : null;
}

function hiddenMessage({ siteUrl }: Site): AccountMailTexts {
  return {
    subject: 'You have a new message',
    blocks: [
      'You have a new message. Read it in your studio.',
      { button: 'Open Your Studio', link: `${siteUrl}/studio` },
    ],
  };
}

const NOT_YOU_TEXT = 'If it was not you, ignore this mail.';

function createTexts(
  { productName, siteUrl }: Site,
  data: AccountMailData,
  token: string | null,
): AccountMailTexts {
  switch (data.kind) {
    case 'contact_message': {
      const { name, email, text } = data.message;
      return {
        subject: `Message from ${name}`,
        blocks: [
          'Someone wrote to you through your page.',
          // The email is the name when that is left out.
          { details: [['From', [...new Set([name, shownEmail(email)])]]] },
          { quote: text, by: `${name} wrote` },
          `An answer to this mail goes to ${name}.`,
        ],
      };
    }
    case 'data_requested':
      return dataRequestTexts(siteUrl, data);
    case 'booking_alarm':
      return {
        subject: `${productName}: unusually many bookings`,
        blocks: [
          `Within an hour, ${data.bookings} bookings or requests came in from people who have not confirmed their email address. This may be a busy day, or someone may be filling your calendar.`,
          'Your studio shows them. If they are not real, one button there cancels them all, and nobody gets a mail about it.',
          { button: 'Open Your Studio', link: `${siteUrl}/studio` },
        ],
      };
    case 'prove_email':
      return {
        subject: `${productName}: confirm your email`,
        blocks: [
          // Of a new account, or of a new email for an older one.
          `Confirm that you read this address, so that your ${productName} account can use it.`,
          proofButton(siteUrl, token ?? ''),
          NOT_YOU_TEXT,
        ],
      };
    case 'welcome':
      if (token !== null)
        return {
          subject: `Welcome to ${productName}`,
          blocks: [
            `Someone, hopefully you, signed up for ${productName} with this address. Confirm that you read it, then set your opening hours, add what clients can book, and share your page.`,
            proofButton(siteUrl, token),
            { button: 'Open Your Studio', link: `${siteUrl}/studio` },
            NOT_YOU_TEXT,
          ],
        };
      return {
        subject: `Welcome to ${productName}`,
        blocks: [
          'Your studio is ready. Set your opening hours and add what clients can book, then share your page.',
          { button: 'Open Your Studio', link: `${siteUrl}/studio` },
          { button: 'Your Public Page', link: `${siteUrl}/${data.artist.username}` },
        ],
      };
    case 'password_recovery':
      return {
        subject: `${productName}: choose a new password`,
        blocks: [
          `Someone, hopefully you, asked for a way back into your ${productName} account.`,
          {
            button: 'Choose a New Password',
            link: `${siteUrl}/reset-password?token=${encodeURIComponent(token ?? '')}`,
          },
          'The link works once, within one hour.',
          'If it was not you, ignore this mail: your password stays as it is.',
        ],
      };
    case 'recovery_link_created':
      return {
        subject: `${productName}: a link to choose a new password`,
        blocks: [
          `The people who run this site have made a link to choose a new password for your ${productName} account, to hand it over to you. It works once, within one hour.`,
          'If you asked for it, all is well. If you did not, write to the people who run this site. Your password stays as it is until the link is used.',
        ],
      };
    case 'password_changed':
      return {
        subject: `${productName}: your password was changed`,
        blocks: [
          `The password of your ${productName} account was changed just now.`,
          'If it was you, all is well. If it was not, choose a new one at once.',
          { button: 'Get Back In', link: `${siteUrl}/recover-password` },
        ],
      };
    case 'new_browser_login':
      return {
        subject: `${productName}: a login from a new browser`,
        blocks: [
          `Someone has logged in to your ${productName} account in a browser that it did not know.`,
          { details: loginDetails(data) },
          'If it was you, all is well. If it was not, choose a new password at once: that logs out every other browser.',
          { button: 'Choose a New Password', link: `${siteUrl}/recover-password` },
          { button: 'See Your Logins', link: `${siteUrl}/studio/profile#logins` },
        ],
      };
    case 'email_change_requested':
      return {
        subject: `${productName}: your email is about to change`,
        blocks: [
          `Someone who knows the password of your ${productName} account wants to change its email to ${data.newEmail}. It changes when the link that we have mailed there is used.`,
          'If it was you, there is nothing to do here.',
          ...undoBlocks(siteUrl, token),
        ],
      };
    case 'email_changed':
      return {
        subject: `${productName}: your email was changed`,
        blocks: [
          `The email of your ${productName} account is ${data.newEmail} now. Mails about the account go there.`,
          ...(token === null
            ? [
                'The people who run this site changed it. If you did not ask for that, write to them.',
              ]
            : ['If it was you, all is well.', ...undoBlocks(siteUrl, token)]),
        ],
      };
    case 'email_change_undone':
      return {
        subject: `${productName}: your email is back`,
        blocks: [
          `The change of your email was undone: this is the address of your ${productName} account again. Every browser was logged out, and the old password stopped working.`,
          'If you have not chosen a new password yet, do it now.',
          { button: 'Choose a New Password', link: `${siteUrl}/recover-password` },
        ],
      };
    case 'email_taken_back':
      return {
        subject: `${productName}: your email was changed back`,
        blocks: [
          `Someone who reads the mail to ${data.oldEmail} undid the change of your ${productName} account’s email to this address. The account has that email again. Every browser was logged out, and the password stopped working.`,
          'If it was you, all is well. If it was not, write to the people who run this site.',
        ],
      };
    case 'public_email_changed':
      return {
        subject: `${productName}: your page shows another email`,
        blocks: [
          `Clients of your ${productName} page see the email ${data.newEmail} now, and their answers to our mails go there. The email of your account is as before.`,
          'If it was you, all is well. If it was not, choose a new password, which logs out every browser, then change the email in your profile.',
          { button: 'Choose a New Password', link: `${siteUrl}/recover-password` },
          { button: 'Open Your Profile', link: `${siteUrl}/studio/profile` },
        ],
      };
    case 'passkey_added':
      return {
        subject: `${productName}: a passkey was added`,
        blocks: [
          `Someone who knows your password has added a passkey to your ${productName} account${data.browser === null ? '' : `, in ${data.browser}`}. Whoever has it can log in without the password.`,
          'If it was you, all is well. If it was not, choose a new password with the link of a mail: that removes every passkey and logs out every browser.',
          { button: 'Choose a New Password', link: `${siteUrl}/recover-password` },
        ],
      };
    case 'passkey_removed':
      return {
        subject: `${productName}: a passkey was removed`,
        blocks: [
          `A passkey was removed from your ${productName} account${data.browser === null ? '' : `: the one made in ${data.browser}`}. Nobody can log in with it any more.`,
          'If it was not you, choose a new password.',
          { button: 'Choose a New Password', link: `${siteUrl}/recover-password` },
        ],
      };
    case 'export_ready':
      return {
        subject: `${productName}: your export is ready`,
        blocks: [
          `A copy of all data of your ${productName} account is ready. You can download it in your studio until ${formatTimeWithZone(data.until, data.zone)}.`,
          { button: 'Open Your Data', link: `${siteUrl}/studio/profile#data` },
          'If you did not ask for it, someone else can use your account: delete the export there, and choose a new password.',
          { button: 'Choose a New Password', link: `${siteUrl}/recover-password` },
        ],
      };
    case 'account_deleted':
      return {
        subject: `${productName}: your account was deleted`,
        blocks: [
          `Your ${productName} account was deleted just now, with your page and everything in your studio. Clients with appointments ahead were told.`,
          'If it was not you, write to the people who run this site.',
        ],
      };
    case 'payment_failed':
      return {
        subject: `${productName}: a payment failed`,
        blocks: [
          `The payment for your ${productName} subscription did not go through. You still take bookings until ${formatTimeWithZone(data.until, data.zone)}. After that, your page stays up but says that you are not taking bookings.`,
          'Please check your card, or pay with another.',
          { button: 'Open Billing', link: `${siteUrl}/studio/billing` },
        ],
      };
    // In this mail, `until` is past: the instant at which bookings stopped.
    case 'subscription_ended':
      return {
        subject: `${productName}: your subscription has ended`,
        blocks: [
          `Your ${productName} subscription has ended: since ${formatTimeWithZone(data.until, data.zone)}, you are not taking bookings. Your page stays up and says so; what is booked stays booked.`,
          'Subscribe again, and bookings open at once.',
          { button: 'Open Billing', link: `${siteUrl}/studio/billing` },
        ],
      };
  }
}

/** The record's email is the one to answer: whoever knows the link of an appointment can ask. */
function dataRequestTexts(
  siteUrl: string,
  { client: { id, name, email }, request }: DataRequestMail,
): AccountMailTexts {
  const who = nameOrEmail({ name, email });
  const isCopy = request.kind === 'copy';
  const contactLines = [name, email && shownEmail(email)].filter((line) => line !== null);
  return {
    subject: isCopy
      ? `${who} asks for a copy of their data`
      : `${who} asks you to erase their data`,
    blocks: [
      isCopy
        ? `${who} asks for a copy of the data that you have of them. Download it on their page in your studio, send it to them, and mark the request as done there.`
        : `${who} asks you to erase the data that you have of them. You decide: their page in your studio shows what you have. An appointment ahead has to be cancelled first. Mark the request as done there.`,
      { button: 'Open the Client', link: `${siteUrl}/studio/clients?id=${id}` },
      ...(contactLines.length ? [{ details: [['Client', contactLines] as const] }] : []),
      email === null
        ? 'Make sure first that it is really them who asks.'
        : `Make sure first that it is really them who asks: an answer to this mail goes to the email that you have of ${name ?? 'them'}.`,
    ],
  };
}

/** The browser, the place by its time zone, and the time there. */
function loginDetails({
  browser,
  zone,
  at,
}: Extract<AccountMailData, { kind: 'new_browser_login' }>): DetailLine[] {
  return [
    ['Browser', [browser ?? 'Unknown']],
    ...(zone === null ? [] : [['Place', [`${timeZoneCity(zone)}, by its time zone`]] as const]),
    ['Time', [formatTimeWithZone(at, zone ?? 'UTC')]],
  ];
}

function undoBlocks(siteUrl: string, token: string | null): AccountMailTexts['blocks'] {
  const link = `${siteUrl}/undo-email-change?token=${encodeURIComponent(token ?? '')}`;
  return [
    'If it was not you, undo it within seven days. Your account keeps this address then, every browser is logged out, and you choose a new password.',
    { button: 'Undo the Change', link },
  ];
}

function proofButton(siteUrl: string, token: string) {
  const link = `${siteUrl}/prove-email?token=${encodeURIComponent(token)}`;
  return { button: 'Confirm Your Email', link };
}
