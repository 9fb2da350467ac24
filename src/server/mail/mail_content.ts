/** The website that sends the mail. */
export interface Site {
  readonly productName: string;
  /** Without a trailing slash. */
  readonly siteUrl: string;
}

/** The content of a mail, before it is rendered as text and HTML. */
export interface MailContent {
  readonly subject: string;
  readonly blocks: readonly ContentBlock[];
  /** The address for answers. Null when we expect none: they go to the sender's address, unread. */
  readonly replyTo: string | null;
}

/** A label and the lines of its value, such as 'Where' and an address. */
export type DetailLine = readonly [label: string, lines: readonly string[]];

export type ContentBlock =
  | { readonly text: string }
  | { readonly details: readonly DetailLine[] }
  /** A person's text, with its line breaks; `by` is shown above it, such as 'Ann wrote'. */
  | { readonly quote: string; readonly by: string }
  | { readonly button: string; readonly link: string };
