import type { ProviderPage } from '#contract/billing.ts';
import type { Http } from './http.ts';

/** The card provider's page where the artist subscribes. */
export function openCheckout(http: Http): Promise<ProviderPage> {
  return http.post('users/create-checkout-session').json();
}

/** The card provider's page where the artist manages their subscription. */
export function openPortal(http: Http): Promise<ProviderPage> {
  return http.post('users/create-billing-portal').json();
}
