import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import {
  $checkout,
  $openingError,
  $openingPage,
  type BillingState,
  handleCheckoutReturn,
  openProviderPage,
  toBillingState,
} from '#stores/studio/billing.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { Spinner } from '../../Spinner.tsx';
import { createStudioPage } from '../create_studio_page.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { Icon } from '../Icon.tsx';
import { Section } from '../Section.tsx';
import { PLAN_LABELS, planText, UNAFFECTED_NOTE } from './labels.ts';

/** The state of the artist's subscription, and buttons that open the payment provider's pages. */
export default createStudioPage('billing', Billing);

function Billing({ me, productName }: { me: CurrentArtist; productName: string }) {
  const plan = toBillingState(me);
  const checkout = useStore($checkout);
  useEffect(() => {
    const unmount = new AbortController();
    const { signal } = unmount;
    void handleCheckoutReturn(signal);
    // Back from the payment provider, the browser may restore this page with its buttons still busy.
    addEventListener('pageshow', () => $openingPage.set(null), { signal });
    return () => unmount.abort();
  }, []);
  if (plan === null)
    return (
      <EmptyState title="There is nothing to pay">
        <p>{`${productName} is free here: all of it is yours to use.`}</p>
      </EmptyState>
    );
  return (
    <div className="max-w-3xl">
      <div role="status">
        {checkout === 'confirming' && (
          <p className="card mb-6 flex items-center gap-3 p-5">
            <Spinner />
            <span>Thank you. Your subscription is being confirmed; this takes a moment.</span>
          </p>
        )}
        {checkout === 'late' && (
          <p className="card mb-6 border-l-4 border-l-main p-5">
            <span>
              {'The confirmation of your payment has not come yet. Nothing is lost: please '}
            </span>
            <a className="link" href="?checkout=success">
              look again
            </a>
            <span> in a few minutes.</span>
          </p>
        )}
        {checkout === 'cancelled' && (
          <p className="card mb-6 border-l-4 border-l-main p-5">
            You left the checkout, and nothing was charged. You can subscribe whenever you like.
          </p>
        )}
      </div>
      {/* While a payment is unconfirmed the artist must not be able to pay again. */}
      {checkout !== 'confirming' && checkout !== 'late' && (
        <PlanStatus plan={plan} zone={me.studio} />
      )}
    </div>
  );
}

const SUBSCRIBABLE_PLANS: readonly BillingState['kind'][] = ['trial', 'trial_over', 'ended'];

function PlanStatus({ plan, zone }: { plan: BillingState; zone: StudioZone }) {
  const openingError = useStore($openingError);
  const { title, isOpen, portal } = PLAN_LABELS[plan.kind];
  const text = planText(plan, zone);
  const canSubscribe = SUBSCRIBABLE_PLANS.includes(plan.kind);
  return (
    <Section id="plan" title={title}>
      <p
        className={`flex items-center gap-2 font-semibold ${isOpen ? 'text-success' : 'text-danger'}`}
      >
        <Icon name={isOpen ? 'check' : 'alert'} />
        <span>{isOpen ? 'Bookings are open' : 'Bookings are closed'}</span>
      </p>
      <p className="max-w-prose">{isOpen ? text : `${text} ${UNAFFECTED_NOTE}`}</p>
      <div className="flex flex-wrap gap-3">
        {canSubscribe && (
          <ProviderButton page="checkout" label="Subscribe" busyLabel="Opening the checkout…" />
        )}
        {portal && <ProviderButton page="portal" label={portal} isSecond={canSubscribe} />}
      </div>
      <div>
        <div role="alert" className="text-danger">
          {openingError && (
            <p className="pb-3">{`The card provider’s page did not open. ${openingError}`}</p>
          )}
        </div>
        <p className="text-sm text-muted">
          Prices, cards and invoices are on the pages of our card provider. We never see your card.
        </p>
      </div>
    </Section>
  );
}

interface ProviderButtonProps {
  page: 'checkout' | 'portal';
  label: string;
  busyLabel?: string;
  /** Whether another button is the main one. */
  isSecond?: boolean;
}

function ProviderButton({ page, label, busyLabel = 'Opening…', isSecond }: ProviderButtonProps) {
  const openingPage = useStore($openingPage);
  return (
    <BusyButton
      busy={openingPage === page}
      disabled={openingPage !== null}
      className={isSecond ? 'button' : 'button button-main'}
      onClick={() => openProviderPage(page)}
    >
      {openingPage === page ? busyLabel : label}
    </BusyButton>
  );
}
