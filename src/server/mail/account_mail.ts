/** The texts of mails to artists about their account or page. */
import type { AppointmentMailData, LinksMailData, MailData } from '#domain/mail/mail.ts';
import { nameOrEmail, shownEmail, withoutLinks } from '#domain/text/link_text.ts';
import { formatTimeWithZone } from '#domain/time/format_time_with_zone.ts';
import { timeZoneCity } from '#domain/time/time_zone.ts';
import { greeting } from './greeting.ts';
import {
  type ContentBlock,
  type MailContent,
  type MailOptions,
  type MailTexts,
  type Site,
  toBlocks,
} from './mail_content.ts';

type AccountMailData = Exclude<MailData, AppointmentMailData | LinksMailData>;
type AccountMailKind = AccountMailData['kind'];
type DataOf<Kind extends AccountMailKind> = AccountMailData & { readonly kind: Kind };

/** Parts of the texts from the site and from the options of the mail. */
interface AccountMailParts {
  readonly productName: string;
  readonly isArtistProven: boolean;
  readonly hasToken: boolean;
  /** The query of a link with the token. */
  readonly tokenQuery: string;
  /** @param path on the site */
  readonly button: (label: string, path: string) => ContentBlock;
}

/**
 * The content of a mail to an artist about their account or page. Until the artist's email is proven it may be a
 * stranger's, so the mail has no text that somebody typed, and no name.
 */
export function createAccountMail(
  { productName, siteUrl }: Site,
  data: AccountMailData,
  { token, isArtistProven }: Pick<MailOptions, 'token' | 'isArtistProven'>,
): MailContent {
  const [subject, ...blocks] = textsOf(data.kind, data, {
    productName,
    isArtistProven,
    hasToken: token !== null,
    tokenQuery: `?token=${encodeURIComponent(token ?? '')}`,
    button: (label, path) => ({ button: label, link: `${siteUrl}${path}` }),
  });
  const name = isArtistProven ? withoutLinks(data.artist.name) : null;
  return {
    subject,
    replyTo: isArtistProven ? emailOfSender(data) : null,
    blocks: toBlocks([greeting(name, { isTrusted: true }), ...blocks]),
  };
}

/** The address for answers to the mail; null for none. */
function emailOfSender(data: AccountMailData): string | null {
  if (data.kind === 'contact_message') return data.message.email;
  return data.kind === 'data_requested' ? data.client.email : null;
}

/** `kind` is that of `data`: so TypeScript knows that both belong to one entry of the table. */
function textsOf<Kind extends AccountMailKind>(
  kind: Kind,
  data: DataOf<Kind>,
  parts: AccountMailParts,
): MailTexts {
  return TEXTS[kind](data, parts);
}

const STUDIO = ['Open Your Studio', '/studio'] as const;
const RECOVERY = ['Choose a New Password', '/recover-password'] as const;
const BILLING = ['Open Billing', '/studio/billing'] as const;
const NOT_YOU_TEXT = 'If it was not you, ignore this mail.';

const TEXTS: {
  readonly [Kind in AccountMailKind]: (data: DataOf<Kind>, parts: AccountMailParts) => MailTexts;
} = {
  contact_message: ({ message: { name, email, text } }, { isArtistProven, button }) =>
    isArtistProven
      ? [
          `Message from ${name}`,
          'Someone wrote to you through your page.',
          // The email is the name when that is left out.
          { details: [['From', [...new Set([name, shownEmail(email)])]]] },
          { quote: text, by: `${name} wrote` },
          `An answer to this mail goes to ${name}.`,
        ]
      : [
          'You have a new message',
          'You have a new message. Read it in your studio.',
          button(...STUDIO),
        ],
  data_requested: createDataRequestTexts,
  booking_alarm: ({ bookings }, { productName, button }) => [
    `${productName}: unusually many bookings`,
    `Within an hour, ${bookings} bookings or requests came in from people who have not confirmed their email address. This may be a busy day, or someone may be filling your calendar.`,
    'Your studio shows them. If they are not real, one button there cancels them all, and nobody gets a mail about it.',
    button(...STUDIO),
  ],
  prove_email: (_, parts) => [
    `${parts.productName}: confirm your email`,
    // Of a new account, or of a new email for an older one.
    `Confirm that you read this address, so that your ${parts.productName} account can use it.`,
    proofButton(parts),
    NOT_YOU_TEXT,
  ],
  welcome: ({ artist }, parts) =>
    parts.hasToken
      ? [
          `Welcome to ${parts.productName}`,
          `Someone, hopefully you, signed up for ${parts.productName} with this address. Confirm that you read it, then set your opening hours, add what clients can book, and share your page.`,
          proofButton(parts),
          parts.button(...STUDIO),
          NOT_YOU_TEXT,
        ]
      : [
          `Welcome to ${parts.productName}`,
          'Your studio is ready. Set your opening hours and add what clients can book, then share your page.',
          parts.button(...STUDIO),
          parts.button('Your Public Page', `/${artist.username}`),
        ],
  password_recovery: (_, { productName, tokenQuery, button }) => [
    `${productName}: choose a new password`,
    `Someone, hopefully you, asked for a way back into your ${productName} account.`,
    button('Choose a New Password', `/reset-password${tokenQuery}`),
    'The link works once, within one hour.',
    'If it was not you, ignore this mail: your password stays as it is.',
  ],
  recovery_link_created: (_, { productName }) => [
    `${productName}: a link to choose a new password`,
    `The people who run this site have made a link to choose a new password for your ${productName} account, to hand it over to you. It works once, within one hour.`,
    'If you asked for it, all is well. If you did not, write to the people who run this site. Your password stays as it is until the link is used.',
  ],
  password_changed: (_, { productName, button }) => [
    `${productName}: your password was changed`,
    `The password of your ${productName} account was changed just now.`,
    'If it was you, all is well. If it was not, choose a new one at once.',
    button('Get Back In', '/recover-password'),
  ],
  new_browser_login: ({ browser, zone, at }, { productName, button }) => [
    `${productName}: a login from a new browser`,
    `Someone has logged in to your ${productName} account in a browser that it did not know.`,
    {
      details: [
        ['Browser', [browser ?? 'Unknown']],
        ...(zone === null ? [] : [['Place', [`${timeZoneCity(zone)}, by its time zone`]] as const]),
        ['Time', [formatTimeWithZone(at, zone ?? 'UTC')]],
      ],
    },
    'If it was you, all is well. If it was not, choose a new password at once: that logs out every other browser.',
    button(...RECOVERY),
    button('See Your Logins', '/studio/profile#logins'),
  ],
  email_change_requested: ({ newEmail }, parts) => [
    `${parts.productName}: your email is about to change`,
    `Someone who knows the password of your ${parts.productName} account wants to change its email to ${newEmail}. It changes when the link that we have mailed there is used.`,
    'If it was you, there is nothing to do here.',
    ...undoBlocks(parts),
  ],
  email_changed: ({ newEmail }, parts) => [
    `${parts.productName}: your email was changed`,
    `The email of your ${parts.productName} account is ${newEmail} now. Mails about the account go there.`,
    ...(parts.hasToken
      ? ['If it was you, all is well.', ...undoBlocks(parts)]
      : ['The people who run this site changed it. If you did not ask for that, write to them.']),
  ],
  email_change_undone: (_, { productName, button }) => [
    `${productName}: your email is back`,
    `The change of your email was undone: this is the address of your ${productName} account again. Every browser was logged out, and the old password stopped working.`,
    'If you have not chosen a new password yet, do it now.',
    button(...RECOVERY),
  ],
  email_taken_back: ({ oldEmail }, { productName }) => [
    `${productName}: your email was changed back`,
    `Someone who reads the mail to ${oldEmail} undid the change of your ${productName} account’s email to this address. The account has that email again. Every browser was logged out, and the password stopped working.`,
    'If it was you, all is well. If it was not, write to the people who run this site.',
  ],
  public_email_changed: ({ newEmail }, { productName, button }) => [
    `${productName}: your page shows another email`,
    `Clients of your ${productName} page see the email ${newEmail} now, and their answers to our mails go there. The email of your account is as before.`,
    'If it was you, all is well. If it was not, choose a new password, which logs out every browser, then change the email in your profile.',
    button(...RECOVERY),
    button('Open Your Profile', '/studio/profile'),
  ],
  passkey_added: ({ browser }, { productName, button }) => [
    `${productName}: a passkey was added`,
    `Someone who knows your password has added a passkey to your ${productName} account${browser === null ? '' : `, in ${browser}`}. Whoever has it can log in without the password.`,
    'If it was you, all is well. If it was not, choose a new password with the link of a mail: that removes every passkey and logs out every browser.',
    button(...RECOVERY),
  ],
  passkey_removed: ({ browser }, { productName, button }) => [
    `${productName}: a passkey was removed`,
    `A passkey was removed from your ${productName} account${browser === null ? '' : `: the one made in ${browser}`}. Nobody can log in with it any more.`,
    'If it was not you, choose a new password.',
    button(...RECOVERY),
  ],
  export_ready: ({ until, zone }, { productName, button }) => [
    `${productName}: your export is ready`,
    `A copy of all data of your ${productName} account is ready. You can download it in your studio until ${formatTimeWithZone(until, zone)}.`,
    button('Open Your Data', '/studio/profile#data'),
    'If you did not ask for it, someone else can use your account: delete the export there, and choose a new password.',
    button(...RECOVERY),
  ],
  account_deleted: (_, { productName }) => [
    `${productName}: your account was deleted`,
    `Your ${productName} account was deleted just now, with your page and everything in your studio. Clients with appointments ahead were told.`,
    'If it was not you, write to the people who run this site.',
  ],
  payment_failed: ({ until, zone }, { productName, button }) => [
    `${productName}: a payment failed`,
    `The payment for your ${productName} subscription did not go through. You still take bookings until ${formatTimeWithZone(until, zone)}. After that, your page stays up but says that you are not taking bookings.`,
    'Please check your card, or pay with another.',
    button(...BILLING),
  ],
  // Here `until` is past: the instant at which bookings stopped.
  subscription_ended: ({ until, zone }, { productName, button }) => [
    `${productName}: your subscription has ended`,
    `Your ${productName} subscription has ended: since ${formatTimeWithZone(until, zone)}, you are not taking bookings. Your page stays up and says so; what is booked stays booked.`,
    'Subscribe again, and bookings open at once.',
    button(...BILLING),
  ],
};

/** Anybody with the link of an appointment can ask, so the answer goes to the email of the client's record. */
function createDataRequestTexts(
  { client, request }: DataOf<'data_requested'>,
  { isArtistProven, button }: AccountMailParts,
): MailTexts {
  const { name, email } = isArtistProven ? client : { name: null, email: null };
  const who = nameOrEmail({ name, email });
  const isCopy = request.kind === 'copy';
  const contactLines = [name, email && shownEmail(email)].filter((line) => line !== null);
  return [
    isCopy ? `${who} asks for a copy of their data` : `${who} asks you to erase their data`,
    isCopy
      ? `${who} asks for a copy of the data that you have of them. Download it on their page in your studio, send it to them, and mark the request as done there.`
      : `${who} asks you to erase the data that you have of them. You decide: their page in your studio shows what you have. An appointment ahead has to be cancelled first. Mark the request as done there.`,
    button('Open the Client', `/studio/clients?id=${client.id}`),
    ...(contactLines.length ? [{ details: [['Client', contactLines] as const] }] : []),
    email === null
      ? 'Make sure first that it is really them who asks.'
      : `Make sure first that it is really them who asks: an answer to this mail goes to the email that you have of ${name ?? 'them'}.`,
  ];
}

function undoBlocks({ tokenQuery, button }: AccountMailParts): readonly (string | ContentBlock)[] {
  return [
    'If it was not you, undo it within seven days. Your account keeps this address then, every browser is logged out, and you choose a new password.',
    button('Undo the Change', `/undo-email-change${tokenQuery}`),
  ];
}

function proofButton({ tokenQuery, button }: AccountMailParts): ContentBlock {
  return button('Confirm Your Email', `/prove-email${tokenQuery}`);
}
