import { sql } from 'kysely';
import type { ClientExport } from '#contract/export.ts';
import type { Instant } from '#domain/time/time.ts';
import { selectEventsOfArtist } from '#server/database/appointment_events.ts';
import { selectAppointmentsOfArtist } from '#server/database/appointments.ts';
import { listEmailsOfClient } from '#server/database/client_erasure.ts';
import { listMailsToClient } from '#server/database/mail_lists.ts';
import { toAppointment } from '../appointments/to_appointment.ts';
import { loadClient } from '../clients/clients.ts';
import { selectMessages, toMessage } from '../clients/messages.ts';
import type { Context } from '../context.ts';
import { toOutgoingMail } from '../mail/mails.ts';
import { readSnapshot } from '../snapshot.ts';
import { toExportedEvent } from './export_contents.ts';

/** All data of one client, for a client who asks for a copy. */
export function exportClient(
  context: Context,
  artistId: string,
  clientId: string,
  now: Instant,
): Promise<ClientExport> {
  return readSnapshot(context, async (context) => {
    const { database, images } = context;
    const client = await loadClient(context, artistId, clientId, now);
    // The id of another client if `clientId` was merged into them.
    const { id } = client;
    const appointments = await selectAppointmentsOfArtist(database, artistId)
      .where('appointments.client_id', '=', id)
      .execute();
    const events = await selectEventsOfArtist(database, artistId)
      .where('appointments.client_id', '=', id)
      .execute();
    const emails = await listEmailsOfClient(database, artistId, id);
    const lists = emails.map((email) =>
      selectMessages(database, artistId).where(sql`lower(email)`, '=', email).execute(),
    );
    const messages = (await Promise.all(lists)).flat();
    const mails = await listMailsToClient(database, artistId, id, emails);
    return {
      client,
      appointments: appointments.map((row) => toAppointment(images, row, now)),
      history: events.map(toExportedEvent),
      messages: messages.map(toMessage),
      mails: mails.map((row) => toOutgoingMail(row, now)),
    };
  });
}
