/** The content of mails as blocks, and the facts that decide about it. */
import type { AppointmentSnapshot, MailData } from '#domain/mail/mail.ts';

/** The website that sends the mail. */
export interface Site {
  readonly productName: string;
  /** Without a trailing slash. */
  readonly siteUrl: string;
  /** Where browsers and mail programs find the API. Without a trailing slash. */
  readonly apiUrl: string;
  /** The address from which it sends mail. */
  readonly senderEmail: string;
}

/** The facts that decide whose texts a mail may have. */
export interface NoticeTrust {
  /** Whether the artist has used a mailed link. The mail goes to this artist or to their client. */
  readonly isArtistProven: boolean;
  /** The email of the artist that clients see now; null for none, and if the artist is not proven. */
  readonly shownArtistEmail: string | null;
  /** The artist's profile picture, and the username in its URL; null for none. */
  readonly avatar: { readonly id: string; readonly username: string } | null;
  /** Whether the recipient of a mail to a client has used a mailed link of this artist. */
  readonly isKnownToArtist: boolean;
  /** Whether this recipient has used the mailed link of this appointment. */
  readonly isAppointmentProven: boolean;
}

/** One of the events that a mail reports. */
export interface TrustedNotice extends NoticeTrust {
  readonly notice: MailData;
}

export interface MailTokens {
  /** For the link of a mail about an account, such as a password recovery; null for other mails. */
  readonly token: string | null;
  /** For the link of a mail to a client: proves their email. Null without one. */
  readonly mailTokenOf: (appointment: AppointmentSnapshot) => string | null;
  /** For the link by which a client stops mail; null in mails to artists. */
  readonly stopToken: string | null;
}

/** The trust that decides the content of a mail, and the tokens of its links. */
export type MailOptions = NoticeTrust & MailTokens;

/** The content of a mail, before it is rendered as text and HTML. */
export interface MailContent {
  readonly subject: string;
  readonly blocks: readonly ContentBlock[];
  /** The address for answers. Null when we expect none: they go to the sender's address, unread. */
  readonly replyTo: string | null;
  /** The picture of the artist, in HTML only; missing in mails about accounts. */
  readonly picture?: MailPicture | undefined;
}

/** A picture and the artist's name, which mail programs show while they block pictures. */
export type MailPicture = readonly [url: string, name: string];

/** A label and the lines of its value, such as 'Where' and an address. */
export type DetailLine = readonly [label: string, lines: readonly string[]];

export type ContentBlock =
  | { readonly text: string }
  | { readonly details: readonly DetailLine[] }
  /** A person's text, with its line breaks; `by` is shown above it, such as 'Ann wrote'. */
  | { readonly quote: string; readonly by: string }
  | { readonly button: string; readonly link: string };

/** A subject, then the blocks. A string is a paragraph. */
export type MailTexts = readonly [subject: string, ...blocks: (string | ContentBlock)[]];

/** Makes paragraphs of the strings. */
export function toBlocks(blocks: readonly (string | ContentBlock)[]): ContentBlock[] {
  return blocks.map((block) => (typeof block === 'string' ? { text: block } : block));
}

/** Says who sends the mail, and how a client stops such mail. */
export interface Footer {
  readonly text: string;
  readonly link: { readonly label: string; readonly url: string } | null;
}
