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
import type { CallInput, Endpoint } from '#contract/endpoint.ts';
import type { CallArguments } from './call.ts';

/** What a client does with their appointment on its page, with the body of the API's call. */
export type ClientActionCall =
  | { readonly kind: 'confirm'; readonly body: ConfirmationInput }
  | { readonly kind: 'release' }
  | { readonly kind: 'decline'; readonly body: OfferDecline }
  | { readonly kind: 'cancel'; readonly body: ClientCancellation }
  | { readonly kind: 'move'; readonly body: ClientMove }
  | { readonly kind: 'change_email'; readonly body: ClientEmail }
  | { readonly kind: 'prove_email_change'; readonly body: ClientEmailProof }
  | { readonly kind: 'ask_copy' | 'ask_erasure'; readonly mailToken: string | null };

/** The name under which the page keeps the text of an action's form (KeptForms.astro). */
export function keptFormName(appointmentId: string, kind: ClientActionCall['kind']): string {
  return `${appointmentId}:${kind}`;
}

/** Calls an endpoint, as `call` does with a transport. */
type Caller = <Input extends CallInput, Output>(
  endpoint: Endpoint<Input, Output>,
  ...args: CallArguments<Input>
) => Promise<Output>;

/** @returns the appointment after the action. @throws as `call` does */
export function sendClientAction(
  caller: Caller,
  appointmentId: string,
  action: ClientActionCall,
): Promise<Confirmation> {
  const path = { appt_id: appointmentId };
  switch (action.kind) {
    case 'confirm':
      return caller(confirmAppointment, { path, body: action.body });
    case 'release':
      return caller(releaseHold, { path });
    case 'decline':
      return caller(declineOffer, { path, body: action.body });
    case 'cancel':
      return caller(cancelAsClient, { path, body: action.body });
    case 'move':
      return caller(moveAsClient, { path, body: action.body });
    case 'change_email':
      return caller(changeEmailAsClient, { path, body: action.body });
    case 'prove_email_change':
      return caller(proveEmailChange, { path, body: action.body });
    case 'ask_copy':
    case 'ask_erasure': {
      const kind = action.kind === 'ask_copy' ? 'copy' : 'erasure';
      const { mailToken } = action;
      const body = { kind, ...(mailToken !== null && { mail_token: mailToken }) } as const;
      return caller(requestData, { path, body });
    }
  }
}
