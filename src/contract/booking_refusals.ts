/** Refusals of a booking: the texts that pages show too, and the type by which a page knows one. */
import type { InvalidInputType } from '#domain/refusal.ts';

/** The design is claimed, hidden or deleted. */
export const DESIGN_NOT_AVAILABLE_TEXT = 'This design is no longer available.';
/** The client confirms an offer after its deadline. */
export const OFFER_ENDED_TEXT = 'This offer has ended. Your request is still open.';
/** While the artist takes no new bookings and requests. */
export const BOOKS_CLOSED_TEXT = 'Books are closed.';

/** The type of the 422 for an end that does not fit the service. */
export const SERVICE_CHANGED_TYPE = 'service_changed' satisfies InvalidInputType;
