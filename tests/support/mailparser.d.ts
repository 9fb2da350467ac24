/** As much of it as the tests use; it brings no types of its own. */
declare module 'mailparser' {
  interface AddressList {
    readonly value: readonly { readonly address?: string; readonly name: string }[];
    readonly text: string;
  }

  export interface ParsedAttachment {
    readonly contentType: string;
    readonly filename?: string;
    readonly content: Buffer;
    /** Lowercase names; those with parameters have them apart. */
    readonly headers: ReadonlyMap<string, unknown>;
  }

  export interface ParsedMail {
    /** With its angle brackets. */
    readonly messageId?: string;
    readonly subject?: string;
    readonly text?: string;
    readonly html: string | false;
    readonly from?: AddressList;
    readonly to?: AddressList;
    readonly replyTo?: AddressList;
    readonly attachments: readonly ParsedAttachment[];
    readonly headers: ReadonlyMap<string, unknown>;
    readonly headerLines: readonly { readonly key: string; readonly line: string }[];
  }

  export function simpleParser(source: Buffer): Promise<ParsedMail>;
}
