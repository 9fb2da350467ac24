import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import { toFileFailure } from './delivery_failure.ts';
import type { Mailer } from './mailer.ts';
import { toNodemailerMessage } from './nodemailer_message.ts';

const FOLDER_OPTIONS = { recursive: true, mode: 0o700 } as const;
/** Matches the mail's id in the name of a file. */
const MAIL_ID = /(?<=Z-).+(?=\.eml$)/;

/**
 * Writes mail to a folder instead of sending it. The `.eml` file names are the UTC time and the mail's id.
 * @param from the sender, such as `Linework <no-reply@book.example.com>`
 */
export function createOutboxMailer(folder: string, from: string, log: Logger): Mailer {
  // This transport composes the text of a message, and sends nothing.
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });

  async function deleteFiles(isDeleted: (name: string) => boolean): Promise<void> {
    await mkdir(folder, FOLDER_OPTIONS);
    for (const name of await readdir(folder))
      if (isDeleted(name)) await rm(join(folder, name), { force: true });
  }

  return {
    onlySaves: true,
    async send(mail) {
      const { message } = await transport.sendMail(toNodemailerMessage(mail, from));
      const name = `${toFileTime(Date.now())}-${mail.id}.eml`;
      const path = join(folder, name);
      try {
        await mkdir(folder, FOLDER_OPTIONS);
        // The file gets its final name when complete, so that nobody reads half a mail.
        await writeFile(`${path}.part`, message, { mode: 0o600 });
        await rename(`${path}.part`, path);
      } catch (error) {
        throw toFileFailure(error);
      }
      const link = mail.link === undefined ? '' : `, with a link to ${redactLink(mail.link)}`;
      log.info({ component: 'Mail' }, `A mail was written to the outbox: ${name}${link}`);
    },
    async deleteCopies(ids) {
      if (ids.length === 0) return;
      const deleted = new Set(ids);
      await deleteFiles((name) => deleted.has(MAIL_ID.exec(name)?.[0] ?? ''));
    },
    async deleteOldCopies(before) {
      // Names begin with the time, so they sort by it.
      const oldest = toFileTime(before);
      await deleteFiles((name) => name.endsWith('.eml') && name < oldest);
    },
    // There is no connection to close.
    close() {},
  };
}

function toFileTime(at: number): string {
  return new Date(at).toISOString().replaceAll(':', '-');
}

/** Masks query values and UUIDs: they may grant access, so they must not be in logs. */
function redactLink(link: string): string {
  return link.replace(/=[^&#]*/g, '=…').replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi, '…');
}
