/** The content of the ZIP file of an export. */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { CurrentArtist } from '#contract/artist.ts';
import { APPOINTMENT_TABLE, CLIENT_TABLE, MESSAGE_TABLE } from '#contract/csv_rows.ts';
import type { ExportedEvent } from '#contract/export.ts';
import { toFileName } from '#domain/clients/export.ts';
import { type CsvTable, toCsvHead, toCsvRow } from '#domain/text/csv.ts';
import { describeTimeZone } from '#domain/time/describe_time_zone.ts';
import { formatTimeWithZone } from '#domain/time/format_time_with_zone.ts';
import type { Instant } from '#domain/time/time.ts';
import {
  type AppointmentEventRow,
  selectEventsOfArtist,
} from '#server/database/appointment_events.ts';
import { type AppointmentRow, selectAppointmentsOfArtist } from '#server/database/appointments.ts';
import type { Database } from '#server/database/connect.ts';
import { readRows } from '#server/database/cursor.ts';
import { findImage } from '#server/database/images.ts';
import { selectMailsOfArtist } from '#server/database/mail_lists.ts';
import { listPasskeys } from '../accounts/passkeys.ts';
import { listSecurityEvents } from '../accounts/sessions.ts';
import { toAppointment, toAppointmentEvent } from '../appointments/to_appointment.ts';
import { listBlockedSenders } from '../booking/abuse.ts';
import { selectDesigns, toDesign } from '../catalogue/designs.ts';
import { selectServices, toService } from '../catalogue/services.ts';
import { type ImageRow, toImage } from '../catalogue/to_image.ts';
import { selectClients, toClient } from '../clients/clients.ts';
import { selectMessages, toMessage } from '../clients/messages.ts';
import type { Context, InChange } from '../context.ts';
import { toOutgoingMail } from '../mail/mails.ts';
import { readSnapshot } from '../snapshot.ts';
import { loadCurrentArtist } from '../studio/artist_views.ts';
import { selectPortfolio } from '../studio/images.ts';
import type { ZipWriter } from './zip_file.ts';

/** One page with all security events: they are kept for a year, and nobody logs in so often. */
const ALL_SECURITY_EVENTS = { skip: 0, limit: 100_000 };

/** The largest WebP file of a picture, and where it goes in the ZIP file. */
interface ExportedPicture {
  readonly path: string;
  readonly imageId: string;
  readonly width: number;
}

/**
 * Adds everything of an artist to a ZIP file.
 * @param onProgress called after each row and picture; it may end the work by throwing
 */
export async function addArtistData(
  context: Context,
  { artistId, now }: { readonly artistId: string; readonly now: Instant },
  zip: ZipWriter,
  onProgress: (done: number, total: number) => Promise<void>,
): Promise<void> {
  const progress = { done: 0, total: 0 };
  const step = async () => {
    progress.done += 1;
    await onProgress(progress.done, progress.total);
  };
  const pictures = await readSnapshot(context, async (context) => {
    progress.total = await countExportedRows(context.database, artistId);
    const me = await loadCurrentArtist(context, artistId, now);
    await zip.addText('README.txt', [readme(me, context.site.productName, now)]);
    await zip.addText('account.json', [toJson(me)]);
    return addRows(context, { me, now }, zip, step);
  });
  for (const picture of pictures) {
    const bytes = await readPicture(context, picture);
    // Undefined: it was deleted after the rows were read.
    if (bytes) await zip.addPicture(picture.path, bytes);
    await step();
  }
}

/** Counts the artist's rows that an export counts as progress; each picture is a row too. */
async function countExportedRows(database: Database, artistId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT ((SELECT count(*) FROM services WHERE artist_id = ${artistId} AND deleted_at IS NULL)
      + (SELECT count(*) FROM designs WHERE artist_id = ${artistId} AND deleted_at IS NULL)
      + (SELECT count(*) FROM images WHERE artist_id = ${artistId})
      + (SELECT count(*) FROM clients WHERE artist_id = ${artistId} AND merged_into IS NULL)
      + (SELECT count(*) FROM appointments WHERE artist_id = ${artistId})
      + (SELECT count(*) FROM messages WHERE artist_id = ${artistId})
      + (SELECT count(*) FROM mails WHERE artist_id = ${artistId}))::int AS count
  `.execute(database);
  return rows[0]?.count ?? 0;
}

const skipProgress = async () => {};

/** Adds all rows; returns the pictures to add. @param step counts a row as done */
async function addRows(
  context: InChange<Context>,
  { me, now }: { readonly me: CurrentArtist; readonly now: Instant },
  zip: ZipWriter,
  step: () => Promise<void>,
): Promise<ExportedPicture[]> {
  const { database, images } = context;
  const { id, studio } = me;
  const pictures: ExportedPicture[] = [];
  const addPicture = (name: string, imageId: string, widths: readonly number[]) =>
    pictures.push({ path: `pictures/${name}.webp`, imageId, width: Math.max(...widths) });
  const addList = <Tables, Table extends keyof Tables, Row>(
    name: string,
    query: SelectQueryBuilder<Tables, Table, Row>,
    toItem: (row: Row) => unknown,
    afterEach = step,
  ) => zip.addText(`${name}.json`, jsonList(readRows(database, query), toItem, afterEach));
  const addTable = async <Tables, Table extends keyof Tables, Row, Item>(
    name: string,
    query: SelectQueryBuilder<Tables, Table, Row>,
    toItem: (row: Row) => Item,
    table: CsvTable<Item>,
  ) => {
    await addList(name, query, toItem);
    const toLine = (row: Row) => toCsvRow(table, toItem(row), studio.time_zone);
    await zip.addText(`${name}.csv`, csvLines(table, readRows(database, query), toLine));
  };

  await addList('services', selectServices(database, id), toService);
  await addList('designs', selectDesigns(database, id, 'all'), (row) => {
    addPicture(`designs/${toFileName(row.name, row.id)}`, row.image_id, row.widths);
    return toDesign(images, row);
  });
  const addPortfolioPicture = (row: ImageRow) => {
    addPicture(`portfolio/${toFileName(row.title, row.id)}`, row.id, row.widths);
    return toImage(images, row);
  };
  // These rows are pictures, which count when they are added.
  await addList('portfolio', selectPortfolio(database, id), addPortfolioPicture, skipProgress);
  const avatar = await database
    .selectFrom('images')
    .innerJoin('artists', 'artists.avatar_id', 'images.id')
    .select(['images.id', 'images.widths'])
    .where('artists.id', '=', id)
    .executeTakeFirst();
  if (avatar) addPicture('avatar', avatar.id, avatar.widths);

  const clients = selectClients(database, id, now)
    .orderBy('clients.created_at')
    .orderBy('clients.id');
  await addTable('clients', clients, (row) => toClient(row, now), CLIENT_TABLE);
  const appointments = selectAppointmentsOfArtist(database, id);
  const toItem = (row: AppointmentRow) => toAppointment(images, row, now);
  await addTable('appointments', appointments, toItem, APPOINTMENT_TABLE);
  const events = selectEventsOfArtist(database, id);
  // `countExportedRows` leaves them out.
  await addList('appointment_history', events, toExportedEvent, skipProgress);
  await addTable('messages', selectMessages(database, id), toMessage, MESSAGE_TABLE);
  const mails = selectMailsOfArtist(database, id);
  await addList('mails', mails, (row) => toOutgoingMail(row, now));
  const others = {
    blocked_senders: await listBlockedSenders(context, id),
    security_events: await listSecurityEvents(context, id, ALL_SECURITY_EVENTS),
    passkeys: await listPasskeys(context, id),
  };
  for (const [name, list] of Object.entries(others))
    await zip.addText(`${name}.json`, [toJson(list)]);
  return pictures;
}

export function toExportedEvent(
  row: AppointmentEventRow & { readonly appointment_id: string },
): ExportedEvent {
  return { appointment_id: row.appointment_id, ...toAppointmentEvent(row) };
}

/** Reads the file of a picture; undefined if the picture was deleted. */
async function readPicture(
  { database, images }: Context,
  { imageId, width }: ExportedPicture,
): Promise<Uint8Array | undefined> {
  try {
    return await images.read({ imageId, width, format: 'webp' });
  } catch (error) {
    if (await findImage(database, imageId)) throw error;
    return undefined;
  }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A list as the API's lists are: `data`, one item a line, and `count`. */
async function* jsonList<Row>(
  rows: AsyncIterable<Row>,
  toItem: (row: Row) => unknown,
  afterEach: () => Promise<void>,
): AsyncGenerator<string> {
  let count = 0;
  yield '{"data": [';
  for await (const row of rows) {
    yield `${count === 0 ? '' : ','}\n${JSON.stringify(toItem(row))}`;
    count += 1;
    await afterEach();
  }
  yield `\n], "count": ${count}}\n`;
}

async function* csvLines<Row>(
  table: CsvTable<never>,
  rows: AsyncIterable<Row>,
  toLine: (row: Row) => string,
): AsyncGenerator<string> {
  yield toCsvHead(table);
  for await (const row of rows) yield toLine(row);
}

function readme({ full_name, studio }: CurrentArtist, productName: string, now: Instant): string {
  return `This is a copy of all data that ${productName} has of ${full_name}, as of
${formatTimeWithZone(now, studio.time_zone)}.

Tables, which a spreadsheet opens. Times are in ${describeTimeZone(studio.time_zone)}.
Phone numbers begin with "tel:". A quote at the start of a cell keeps a spreadsheet
from running it as a formula.
  clients.csv               your clients, with your notes
  appointments.csv          your appointments and requests, with what clients wrote and
                            what you received
  messages.csv              messages that visitors sent from your page

The same and more as JSON, for other programs. Times are in UTC. The end of an
appointment is its last minute.
  account.json              your profile, your studio, your hours and your settings
  services.json             your services
  designs.json              your designs
  portfolio.json            the pictures of your portfolio
  clients.json              your clients, and what they asked about their data
  appointments.json         your appointments and requests
  appointment_history.json  what happened to each appointment, by its id
  messages.json             messages that visitors sent from your page
  mails.json                mails to you and your clients: when, to whom, and whether
                            they arrived
  blocked_senders.json      senders whose requests and messages you do not accept
  security_events.json      logins, and other events of your account's safety
  passkeys.json             the passkeys with which you log in, without their keys

Pictures, in the largest size that is stored.
  pictures/designs          the name of a file ends with the first 8 characters of the
                            "id" in designs.json
  pictures/portfolio        the same, for portfolio.json
  pictures/avatar.webp      your profile picture

An erased client has an id and the time of the erasure, and no details. The "Client id" of
an appointment is the "Id" of its client.

Your password is not in here: nobody can read it. Where you are logged in is in your profile.
`;
}
