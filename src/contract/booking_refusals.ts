/**
 * Refusals of a booking that its page answers by itself. The API names a refusal only by its text, so
 * both sides take the texts from here.
 */
export const TIME_TAKEN_TEXT = 'That time is no longer available. Please pick another.';
export const SERVICE_NOT_AVAILABLE_TEXT =
  'This service is no longer available. Please choose again.';
export const DESIGN_NOT_AVAILABLE_TEXT = 'This design is no longer available.';
export const OFFER_ENDED_TEXT = 'This offer has ended. Your request is still open.';

/** The type of the 422 for an end that does not fit the service, with its text. */
export const SERVICE_CHANGED_TYPE = 'service_changed';
export const SERVICE_CHANGED_TEXT = 'This service has changed. Please choose again.';
