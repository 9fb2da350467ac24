import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Mailer } from './mailer.ts';

/**
 * Writes mail into a folder as `.eml` files, named by their time in UTC so that they sort by it.
 * @param from of every mail, such as `Linework <no-reply@book.example.com>`
 */
export function createOutbox(folder: string, from: string, log: (line: string) => void): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      const { message } = await transport.sendMail({ ...mail, from });
      await mkdir(folder, { recursive: true });
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`;
      const path = join(folder, name);
      // Renamed into place, so that nobody reads half a mail; and only the server's user reads any.
      await writeFile(`${path}.part`, message, { mode: 0o600 });
      await rename(`${path}.part`, path);
      // Only the name: what is logged travels further than a mail should, and its link lets one in.
      log(`A mail was written to the outbox: ${name}`);
    },
  };
}
