/** The product as mails name it, and where its pages are, without a slash at the end. */
export interface Site {
  readonly productName: string;
  readonly siteUrl: string;
}

/** What a mail says, before it is laid out as text and as HTML. */
export interface MailContent {
  readonly subject: string;
  readonly blocks: readonly ContentBlock[];
  /** Whom an answer reaches; nobody reads the address that mails come from. */
  readonly replyTo: string | null;
}

/** A label, and the lines that tell it. */
export type DetailLine = readonly [label: string, lines: readonly string[]];

export type ContentBlock =
  /** A paragraph. */
  | { readonly text: string }
  | { readonly details: readonly DetailLine[] }
  /** What somebody wrote, in lines of their own. */
  | { readonly quote: string; readonly by: string }
  /** A page to open. */
  | { readonly button: string; readonly link: string };

/** The page that a letter asks its reader to open, the first if there are several. */
export function firstLink({ blocks }: MailContent): string | null {
  for (const block of blocks) if ('link' in block) return block.link;
  return null;
}
