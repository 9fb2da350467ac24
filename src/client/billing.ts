import type { PaymentPage } from '#contract/billing.ts';
import type { Transport } from './http.ts';

/** The card provider's page where the artist subscribes. */
export function startCheckout(http: Transport): Promise<PaymentPage> {
  return http.post('users/create-checkout-session').json();
}

/** The card provider's page where the artist manages their subscription. */
export function startBillingPortal(http: Transport): Promise<PaymentPage> {
  return http.post('users/create-billing-portal').json();
}
