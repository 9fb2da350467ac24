import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { toFileFailure } from './delivery_failure.ts';
import type { Mailer } from './mailer.ts';
import { toNodemailerMessage } from './nodemailer_message.ts';

/**
 * Writes mail into a folder as `.eml` files, named by their time in UTC so that they sort by it.
 * @param from of every mail, such as `Linework <no-reply@book.example.com>`
 */
export function createOutboxMailer(
  folder: string,
  from: string,
  log: (line: string) => void,
): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(toNodemailerMessage(mail, from));
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`;
      const path = join(folder, name);
      try {
        await mkdir(folder, { recursive: true });
        // Renamed into place, so that nobody reads half a mail; and only the server's user reads any.
        await writeFile(`${path}.part`, message, { mode: 0o600 });
        await rename(`${path}.part`, path);
      } catch (error) {
        throw toFileFailure(error);
      }
      const link = mail.link === undefined ? '' : `, with a link to ${redactLink(mail.link)}`;
      log(`A mail was written to the outbox: ${name}${link}`);
    },
    close() {},
  };
}

/** A link without what would let its reader in: what is logged travels further than a mail should. */
function redactLink(link: string): string {
  return link.replace(/=[^&#]*/g, '=…').replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi, '…');
}
