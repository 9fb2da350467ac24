/** The details of an appointment: its service and design, its price and its notes. */
import type { AppointmentChanges } from '#contract/appointment.ts';
import { priceOfBooking } from '#domain/booking/booking_price.ts';
import { type EditionUse, usesEdition } from '#domain/booking/editions.ts';
import type { Price } from '#domain/money/price.ts';
import { InvalidInput, refuse, requireFound } from '#domain/refusal.ts';
import type { Instant } from '#domain/time/time.ts';
import { saveTransition } from '#server/database/appointment_transitions.ts';
import { setPrivateNotes } from '#server/database/appointment_updates.ts';
import {
  type AppointmentRow,
  findAppointment,
  toAppointmentState,
} from '#server/database/appointments.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import { requireEdition } from '../booking/bookable.ts';
import { findArtistDesign } from '../catalogue/designs.ts';
import { findService } from '../catalogue/services.ts';
import { toChangedPrice } from '../currency.ts';

const REQUEST_NOTE_TEXT = 'A request has no note before its answer or its time';

/** The details that the artist edits. Undefined ones keep their value. */
type DetailChanges = Pick<
  AppointmentChanges,
  'service_id' | 'design_id' | 'price' | 'note' | 'private_notes' | 'private_version'
>;

/**
 * Changes the service, the design, the price and the notes of an appointment. With another service or
 * design, the price becomes that of the design, or else of the service, unless one is given or neither
 * has one. Equal details change nothing.
 * @returns the row as it is now
 * @throws Refusal `not_found` for another artist's service or design; `editions_used_up`;
 *   `stale_notes`; `status_changed` if it changed concurrently
 * @throws InvalidInput for a note on a request, which its client would not see
 */
export async function changeDetails(
  transaction: Transaction,
  row: AppointmentRow,
  changes: DetailChanges,
  now: Instant,
): Promise<AppointmentRow> {
  if (changes.note && row.status === 'requested')
    throw new InvalidInput(['body', 'note'], REQUEST_NOTE_TEXT);
  const { private_notes } = changes;
  refuseStaleNotes(changes, row);
  const { artist_id: artistId } = row;
  const { service_id = row.service_id, design_id = row.design_id } = changes;
  const isNewService = service_id !== row.service_id;
  const isNewDesign = design_id !== row.design_id;
  const service = isNewService
    ? await requireOwnService(transaction, artistId, service_id)
    : toPriced(row.service_price, row.service_deleted_at);
  // An appointment that uses up an edition now needs one of the new design.
  const newDesign = isNewDesign ? await requireOwnDesign(transaction, artistId, design_id) : null;
  if (newDesign && usesEdition(toEditionUse(row), now))
    await requireEdition(transaction, newDesign, row, now);
  const design = isNewDesign ? newDesign : toPriced(row.design_price, row.design_deleted_at);
  // Null deletes the price; undefined keeps it, or takes that of the new service or design.
  const given = await toChangedPrice(transaction, artistId, changes.price);
  const hasNewSubject = isNewService || isNewDesign;
  const newPrice = hasNewSubject ? priceOfBooking(design, service) : null;
  const price = given === undefined ? (newPrice ?? row.price) : given;
  const note = changes.note === undefined ? row.artist_note : changes.note || null;
  const isShownToClient =
    hasNewSubject || note !== row.artist_note || !isSamePrice(price, row.price);
  const hasNewNotes = private_notes !== undefined && private_notes !== (row.private_notes ?? '');
  if (!isShownToClient && !hasNewNotes) return row;
  const columns = { service_id, design_id, price, artist_note: note };
  const edited = { actor: 'artist', what: 'edited', status: row.status, columns } as const;
  if (isShownToClient) await saveTransition(transaction, row, edited, now);
  if (private_notes !== undefined) await setPrivateNotes(transaction, row, private_notes);
  return requireFound(await findAppointment(transaction, artistId, row.id));
}

/**
 * Refuses other private notes than the stored ones if the artist has not seen these. Without a version,
 * nothing is refused.
 * @throws Refusal `stale_notes`
 */
export function refuseStaleNotes(
  changes: Pick<AppointmentChanges, 'private_notes' | 'private_version'>,
  stored: Pick<AppointmentRow, 'private_notes' | 'private_version'>,
): void {
  const { private_notes, private_version = stored.private_version } = changes;
  const isStale = private_notes !== undefined && private_version !== stored.private_version;
  if (isStale && private_notes !== (stored.private_notes ?? '')) throw refuse('stale_notes');
}

/** The appointment's present service or design; a deleted one has no price. */
function toPriced(price: Price | null, deletedAt: Date | null): { readonly price: Price | null } {
  return { price: deletedAt === null ? price : null };
}

function isSamePrice(one: Price | null, other: Price | null): boolean {
  return (
    one?.kind === other?.kind &&
    one?.amount === other?.amount &&
    one?.amount_to === other?.amount_to &&
    one?.currency === other?.currency
  );
}

/** The facts that decide whether the appointment uses up an edition of its design. */
export function toEditionUse(row: AppointmentRow): EditionUse {
  return {
    ...toAppointmentState(row),
    isReserved: row.occupies === true,
    keepsEdition: row.keeps_edition,
  };
}

/** The artist may also book a service that clients cannot book. @throws Refusal `not_found` */
export async function requireOwnService(database: Database, artistId: string, id: string | null) {
  return id === null ? null : requireFound(await findService(database, artistId, id));
}

/** The artist may also book a design that clients cannot book. @throws Refusal `not_found` */
export async function requireOwnDesign(database: Database, artistId: string, id: string | null) {
  return id === null ? null : requireFound(await findArtistDesign(database, artistId, id));
}
