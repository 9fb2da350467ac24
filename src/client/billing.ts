import type { PaymentPage } from '#contract/billing.ts';
import type { Transport } from './http.ts';

/** The Stripe page where the artist subscribes. */
export function startCheckout(http: Transport) {
  return http.post('users/create-checkout-session').json<PaymentPage>();
}

/** The Stripe page where the artist manages their subscription. */
export function startBillingPortal(http: Transport) {
  return http.post('users/create-billing-portal').json<PaymentPage>();
}
