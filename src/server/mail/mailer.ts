/** A mail to one person, with the same said twice: plainly, and as HTML. */
export interface Mail {
  /** Always the same for the same mail, so that a reader who gets it twice can see that. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly replyTo?: string;
  /** The page that it asks its reader to open; may let one in, so it is logged only masked. */
  readonly link?: string;
  /** An entry for the reader's calendar, as RFC 5546 has it. */
  readonly calendar?: CalendarAttachment;
}

export interface CalendarAttachment {
  readonly method: 'REQUEST' | 'CANCEL';
  /** iCalendar text (RFC 5545). */
  readonly content: string;
}

/** Sends mail. */
export interface Mailer {
  /**
   * Resolves once the mail is handed over.
   * @throws MailFailure when it could not be
   */
  send(mail: Mail): Promise<void>;
  /** Lets go of connections. */
  close(): void;
}

/** A mail that was not taken. */
export class MailFailure extends Error {
  /** Whether trying again is of no use: the address does not exist, or does not want it. */
  readonly isPermanent: boolean;

  /** @param said what people may read of it: no address, no password */
  constructor(said: string, final: boolean, cause?: unknown) {
    super(said, { cause });
    this.name = 'MailFailure';
    this.isPermanent = final;
  }
}
