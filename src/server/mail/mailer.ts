/** A mail to one person, with the same said twice: plainly, and as HTML. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly replyTo?: string;
}

/** Sends mail. */
export interface Mailer {
  /** Resolves once the mail is handed over; rejects when it could not be. */
  send(mail: Mail): Promise<void>;
}
