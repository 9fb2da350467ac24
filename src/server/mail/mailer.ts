/** A mail to one person; `text` and `html` have the same content. */
export interface Mail {
  /** The same at every attempt, so that mail programs recognise a duplicate. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly replyTo?: string;
  /** The mail's main link. It may contain a token that grants access, so logs mask the token. */
  readonly link?: string;
  /** One POST request to this URL stops such mail (RFC 8058). */
  readonly unsubscribeUrl?: string;
  /** An entry, or its cancellation, for the recipient's calendar (RFC 5546). */
  readonly calendar?: CalendarAttachment;
}

export interface CalendarAttachment {
  readonly method: 'REQUEST' | 'CANCEL';
  /** iCalendar text (RFC 5545). */
  readonly content: string;
}

export interface Mailer {
  /** True if it sends nothing, and only writes mails to files; missing otherwise. */
  readonly onlySaves?: true;
  /** @throws MailFailure when the mail server does not accept it, or writing it to a file fails */
  send(mail: Mail): Promise<void>;
  /** Deletes the copies of these mails that the mailer keeps; missing if it keeps none. */
  deleteCopies?(ids: readonly string[]): Promise<void>;
  /** Deletes the copies of mails that were sent before an instant; missing if it keeps none. */
  deleteOldCopies?(before: number): Promise<void>;
  close(): void;
}

/** Why an attempt to send a mail failed. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';
  /** True when another attempt would fail too: the address does not exist, or refuses the mail. */
  readonly isPermanent: boolean;
  /** Whether the mail server may have accepted the mail, although its answer did not reach us. */
  readonly mayHaveArrived: boolean;

  /** @param message is shown to the artist, so it must contain no email address and no password */
  constructor(
    message: string,
    options: { isPermanent: boolean; mayHaveArrived?: boolean; cause?: unknown },
  ) {
    super(message, options);
    this.isPermanent = options.isPermanent;
    this.mayHaveArrived = options.mayHaveArrived ?? false;
  }
}
