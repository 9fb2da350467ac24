/**
 * Refusals of a booking that its page answers by itself. The API names a refusal only by its text, so
 * both sides take the texts from here.
 */
import type { RefusalReason } from '#domain/refusal.ts';

/** Comes with the nearest free times. */
export const TIME_TAKEN_TEXT = 'That time is no longer available. Please pick another.';
/** The time that an artist sets overlaps only a buffer: `ignore_buffer` takes it. */
export const BUFFER_TOUCHED_TEXT = 'That time leaves no buffer beside another appointment.';
/** The service is hidden or deleted. */
export const SERVICE_NOT_AVAILABLE_TEXT =
  'This service is no longer available. Please choose again.';
/** The design is claimed, hidden or deleted. */
export const DESIGN_NOT_AVAILABLE_TEXT = 'This design is no longer available.';
/** The client confirms an offer after its deadline. */
export const OFFER_ENDED_TEXT = 'This offer has ended. Your request is still open.';

/** The type of the 422 for an end that does not fit the service. */
export const SERVICE_CHANGED_TYPE = 'service_changed' satisfies RefusalReason;

/** The artist has blocked the client, who cannot send messages either. */
export const SENDER_BLOCKED_TEXT = 'This artist does not take requests from here.';

/** While the artist takes no new bookings and requests. */
export const BOOKS_CLOSED_TEXT = 'Books are closed.';
