// Booking the service or design of an appointment again, with the details that the client typed before.
import type { Confirmation } from '#contract/appointment.ts';
import type { Slot } from '#contract/availability.ts';
import { localDateAt } from '#domain/time/format_time.ts';
import { readBookingDraft, saveBookingDraft } from './booking_draft.ts';
import { type Details, toDetails } from './details.ts';
import { createIdempotencyKey } from './idempotency_key.ts';
import { readHold } from './saved_hold.ts';
import { readTypedEmail } from './typed_email.ts';

/** The id by which the API lists times: of the service, or of a design with a length of its own. Null for none. */
export function bookedIdOf({ service, design }: Confirmation): string | null {
  if (service) return service.id;
  return design && design.duration !== null ? design.id : null;
}

/** The URL of the booking form, for the same service and design. */
export function bookingFormUrl({ service, design, user }: Confirmation): string {
  const search = new URLSearchParams({
    ...(service && { service: service.id }),
    ...(design && { design: design.id }),
  }).toString();
  return `/${user.username}/scheduling${search && `?${search}`}`;
}

/** Fills the booking form with what the client typed before, and with `slot` unless it is null. @returns its URL */
export function fillBookingForm(confirmation: Confirmation, slot: Slot | null): string {
  const { username, studio } = confirmation.user;
  const hold = readHold(username);
  const sent = hold?.appointmentId === confirmation.id ? hold.details : null;
  saveBookingDraft(username, {
    slot: slot && {
      ...slot,
      serviceId: bookedIdOf(confirmation) ?? '',
      date: localDateAt(studio, slot.start),
      idempotencyKey: createIdempotencyKey(),
      isOutcomeUnknown: false,
    },
    details: readBookingDraft(username).details ?? sent ?? knownDetails(confirmation),
  });
  return bookingFormUrl(confirmation);
}

function knownDetails(confirmation: Confirmation): Details {
  const { location, size, customer_notes, client } = confirmation;
  const known: Readonly<Record<string, string | null>> = {
    location,
    size,
    customer_notes,
    email: readTypedEmail(confirmation),
    first_name: client.first_name,
  };
  return toDetails((field) => known[field] ?? '');
}
