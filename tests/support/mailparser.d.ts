/** The part that tests use; the package has no types. */
declare module 'mailparser' {
  interface AddressList {
    readonly value: readonly { readonly address?: string; readonly name: string }[];
    readonly text: string;
  }

  export interface ParsedAttachment {
    readonly contentType: string;
    readonly filename?: string;
    readonly content: Buffer;
    /** Names are lowercase. Headers with parameters are objects. */
    readonly headers: ReadonlyMap<string, unknown>;
  }

  export interface ParsedMail {
    /** Includes the angle brackets. */
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
