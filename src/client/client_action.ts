import type {
  ClientCancellation,
  ClientEmail,
  ClientEmailProof,
  ClientMove,
  Confirmation,
  ConfirmationInput,
  OfferDecline,
} from '#contract/appointment.ts';
import {
  cancelAsClient,
  changeEmailAsClient,
  confirmAppointment,
  declineOffer,
  moveAsClient,
  proveEmailChange,
  releaseHold,
  requestData,
} from '#contract/client_endpoints.ts';
import type { DataRequestInput } from '#contract/data_request.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { ById } from '#contract/endpoint_definition.ts';

/** An action of a client on the page of their appointment, with the body of the call that does it. */
export type ClientActionCall =
  | { readonly kind: 'confirm'; readonly body: ConfirmationInput }
  | { readonly kind: 'release'; readonly body?: undefined }
  | { readonly kind: 'decline'; readonly body: OfferDecline }
  | { readonly kind: 'cancel'; readonly body: ClientCancellation }
  | { readonly kind: 'move'; readonly body: ClientMove }
  | { readonly kind: 'change_email'; readonly body: ClientEmail }
  | { readonly kind: 'prove_email_change'; readonly body: ClientEmailProof }
  | { readonly kind: 'ask_copy' | 'ask_erasure'; readonly body: DataRequestInput };

/** The name under which KeptForms.astro keeps the typed text of an action's form in the session storage. */
export function keptFormName(appointmentId: string, kind: ClientActionCall['kind']): string {
  return `${appointmentId}:${kind}`;
}

type ActionEndpoint = Endpoint<ById<'appt_id'> & { readonly body?: unknown }, Confirmation>;

/** The call for each action, which answers with the appointment after it. */
export const ACTION_ENDPOINTS: Readonly<Record<ClientActionCall['kind'], ActionEndpoint>> = {
  confirm: confirmAppointment,
  release: releaseHold,
  decline: declineOffer,
  cancel: cancelAsClient,
  move: moveAsClient,
  change_email: changeEmailAsClient,
  prove_email_change: proveEmailChange,
  // The `kind` in the body distinguishes the two.
  ask_copy: requestData,
  ask_erasure: requestData,
};
