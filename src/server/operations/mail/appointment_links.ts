/** A client asks for the links of their appointments: they get a mail with all of them. */
import { randomUUID } from 'node:crypto';
import { chooseLinked, linkedStatus } from '#domain/appointments/appointment_links.ts';
import type { LinkedAppointment } from '#domain/mail/mail.ts';
import type { Instant } from '#domain/time/time.ts';
import { listAppointmentsOfEmail } from '#server/database/appointment_lists.ts';
import { toAppointmentState } from '#server/database/appointments.ts';
import { findPublicArtistById } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import { change } from '../change.ts';
import type { Context } from '../context.ts';
import { isWithinLimits, limitEvent } from '../limits.ts';
import { loadPublicArtist } from '../public_artist.ts';
import { notify, toAccountSnapshot, toAppointmentSnapshot } from './notify.ts';

/**
 * Requests a mail with the links of a client's appointments with an artist. To hide whether the email has any, the
 * response and the work until the response are the same with and without: a job does the rest.
 * @throws Refusal `not_found` for the artist
 * @throws RateLimited when the network asks too often
 */
export async function requestLinks(
  context: Context,
  username: string,
  email: string,
  network: string,
): Promise<void> {
  const artist = await loadPublicArtist(context, username);
  await limitEvent(context, ['links_network'], { network });
  const causer = { artist: artist.id, account: email.toLowerCase() };
  // Beyond this limit, the mail is left out in silence: an error would say something about the email.
  if (!(await isWithinLimits(context, ['links_mails'], causer))) return;
  const data = { artistId: artist.id, email, network, occasion: randomUUID() };
  await change(context, { invalidates: [] }, ({ database, jobs }) =>
    jobs.enqueue(database, [{ kind: 'links', ...data }]),
  );
}

interface LinksRequest {
  readonly artistId: string;
  readonly email: string;
  /** The network that typed the email. */
  readonly network: string;
  /** Unique for each request: a second call with it queues no second mail. */
  readonly occasion: string;
}

/** Queues a mail with the links, if the email has appointments with the artist. */
export async function queueLinksMail(
  context: Context,
  { artistId, email, network, occasion }: LinksRequest,
  now: Instant,
): Promise<void> {
  const artist = await findPublicArtistById(context.database, artistId);
  if (!artist) return;
  await change(context, { invalidates: [] }, async (context) => {
    const notice = {
      kind: 'links',
      artist: toAccountSnapshot(artist),
      email,
      occasion,
      appointments: await listLinked(context.database, artistId, email, now),
    } as const;
    if (notice.appointments.length > 0)
      await notify(context, { notices: [notice], source: network });
  });
}

/** Lists the appointments of an email with an artist for a mail with their links, as they are now. */
export async function listLinked(
  database: Database,
  artistId: string,
  email: string,
  now: Instant,
): Promise<LinkedAppointment[]> {
  const rows = await listAppointmentsOfEmail(database, artistId, email);
  const linked = rows.flatMap((row) => {
    const status = linkedStatus(toAppointmentState(row), now);
    if (status === null) return [];
    const facts = toAppointmentSnapshot(row, { wasBooked: status === 'confirmed' });
    // The row of a request may still have the time of an expired offer.
    const isRequest = status === 'requested' || status === 'declined';
    const appointment = isRequest ? { ...facts, time: null, expiresAt: null } : facts;
    return [{ status, appointment, start: appointment.time?.start ?? null }];
  });
  return chooseLinked(linked).map(({ status, appointment }) => ({ status, appointment }));
}
