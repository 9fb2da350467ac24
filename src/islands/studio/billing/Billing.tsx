import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import {
  $checkout,
  $openingError,
  $openingPage,
  type BillingState,
  handleCheckoutReturn,
  openProviderPage,
  resetOpening,
  toBillingState,
} from '#stores/studio/billing.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { Spinner } from '../../Spinner.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { Icon } from '../Icon.tsx';
import { Section } from '../Section.tsx';
import { planLabels } from './labels.ts';

interface BillingProps {
  me: CurrentArtist;
  productName: string;
}

/** How the artist's subscription stands, and the ways to the card provider. */
export function Billing({ me, productName }: BillingProps) {
  const plan = toBillingState(me);
  const checkout = useStore($checkout);
  useEffect(() => {
    const leaving = new AbortController();
    void handleCheckoutReturn(leaving.signal);
    addEventListener('pageshow', resetOpening);
    return () => {
      leaving.abort();
      removeEventListener('pageshow', resetOpening);
    };
  }, []);
  if (plan === null)
    return (
      <EmptyState title="There is nothing to pay">
        <p>{productName} is free here: all of it is yours to use.</p>
      </EmptyState>
    );
  // What has just been paid must not be paid again.
  const isPaying = checkout === 'confirming' || checkout === 'late';
  return (
    <div className="max-w-3xl">
      <CheckoutResult />
      {!isPaying && <PlanStatus plan={plan} zone={me.studio.time_zone} />}
    </div>
  );
}

function CheckoutResult() {
  const checkout = useStore($checkout);
  return (
    <div role="status">
      {checkout === 'confirming' && (
        <p className="card mb-6 flex items-center gap-3 p-5">
          <Spinner />
          Thank you. Your subscription is being confirmed; this takes a moment.
        </p>
      )}
      {checkout === 'late' && (
        <p className="card mb-6 border-l-4 border-l-main p-5">
          The confirmation of your payment has not come yet. Nothing is lost: please{' '}
          <a className="link" href="?checkout=success">
            look again
          </a>{' '}
          in a few minutes.
        </p>
      )}
      {checkout === 'cancelled' && (
        <p className="card mb-6 border-l-4 border-l-main p-5">
          You left the checkout, and nothing was charged. You can subscribe whenever you like.
        </p>
      )}
    </div>
  );
}

function PlanStatus({ plan, zone }: { plan: BillingState; zone: string }) {
  const problem = useStore($openingError);
  const { title, text, isOpen } = planLabels(plan, zone);
  return (
    <Section id="plan" title={title}>
      <p
        className={`flex items-center gap-2 font-semibold ${isOpen ? 'text-success' : 'text-danger'}`}
      >
        <Icon name={isOpen ? 'check' : 'alert'} />
        {isOpen ? 'Bookings are open' : 'Bookings are closed'}
      </p>
      <p className="max-w-prose">{text}</p>
      <PlanActions plan={plan} />
      <div>
        <div role="alert" className="text-danger">
          {problem && <p className="pb-3">The card provider’s page did not open. {problem}</p>}
        </div>
        <p className="text-sm text-muted">
          Prices, cards and invoices are on the pages of our card provider. We never see your card.
        </p>
      </div>
    </Section>
  );
}

const SUBSCRIBABLE_PLANS: readonly BillingState['kind'][] = ['trial', 'trial_over', 'ended'];
const PORTAL_LABELS: Record<Exclude<BillingState['kind'], 'trial' | 'trial_over'>, string> = {
  subscribed: 'Manage subscription',
  ending: 'Renew or manage',
  grace: 'Update your card',
  unpaid: 'Update your card',
  ended: 'See past invoices',
};

function PlanActions({ plan: { kind } }: { plan: BillingState }) {
  const going = useStore($openingPage);
  const subscribes = SUBSCRIBABLE_PLANS.includes(kind);
  return (
    <div className="flex flex-wrap gap-3">
      {subscribes && (
        <BusyButton
          busy={going === 'checkout'}
          disabled={going !== null}
          className="button button-main"
          onClick={() => openProviderPage('checkout')}
        >
          {going === 'checkout' ? 'Opening the checkout…' : 'Subscribe'}
        </BusyButton>
      )}
      {kind !== 'trial' && kind !== 'trial_over' && (
        <BusyButton
          busy={going === 'portal'}
          disabled={going !== null}
          className={`button ${subscribes ? '' : 'button-main'}`}
          onClick={() => openProviderPage('portal')}
        >
          {going === 'portal' ? 'Opening…' : PORTAL_LABELS[kind]}
        </BusyButton>
      )}
    </div>
  );
}
