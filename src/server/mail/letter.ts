/** The product as mails name it, and where its pages are, without a slash at the end. */
export interface Site {
  readonly productName: string;
  readonly siteUrl: string;
}

/** What a mail says, before it is laid out as text and as HTML. */
export interface Letter {
  readonly subject: string;
  readonly blocks: readonly Block[];
  /** Whom an answer reaches; nobody reads the address that mails come from. */
  readonly replyTo: string | null;
}

/** A label, and the lines that tell it. */
export type Fact = readonly [label: string, lines: readonly string[]];

export type Block =
  /** A paragraph. */
  | { readonly text: string }
  | { readonly facts: readonly Fact[] }
  /** What somebody wrote, in lines of their own. */
  | { readonly quote: string; readonly by: string }
  /** A page to open. */
  | { readonly button: string; readonly link: string };

/** The page that a letter asks its reader to open, the first if there are several. */
export function linkOf({ blocks }: Letter): string | null {
  for (const block of blocks) if ('link' in block) return block.link;
  return null;
}
