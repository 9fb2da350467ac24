import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import {
  $checkout,
  $going,
  $notGone,
  arriveAgain,
  goTo,
  type Plan,
  planOf,
  returnFromCheckout,
} from '#stores/studio/billing.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { Spinner } from '../../Spinner.tsx';
import { Empty } from '../Empty.tsx';
import { Icon } from '../Icon.tsx';
import { Section } from '../Section.tsx';
import { wordsOf } from './plan_words.ts';

interface BillingProps {
  me: CurrentArtist;
  productName: string;
}

/** How the artist's subscription stands, and the ways to the card provider. */
export function Billing({ me, productName }: BillingProps) {
  const plan = planOf(me);
  const checkout = useStore($checkout);
  useEffect(() => {
    const leaving = new AbortController();
    void returnFromCheckout(leaving.signal);
    addEventListener('pageshow', arriveAgain);
    return () => {
      leaving.abort();
      removeEventListener('pageshow', arriveAgain);
    };
  }, []);
  if (plan === null)
    return (
      <Empty title="There is nothing to pay">
        <p>{productName} is free here: all of it is yours to use.</p>
      </Empty>
    );
  // What has just been paid must not be paid again.
  const isPaying = checkout === 'confirming' || checkout === 'late';
  return (
    <div className="max-w-3xl">
      <Returned />
      {!isPaying && <Standing plan={plan} zone={me.studio.time_zone} />}
    </div>
  );
}

function Returned() {
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

function Standing({ plan, zone }: { plan: Plan; zone: string }) {
  const problem = useStore($notGone);
  const { title, text, isOpen } = wordsOf(plan, zone);
  return (
    <Section id="plan" title={title}>
      <p
        className={`flex items-center gap-2 font-semibold ${isOpen ? 'text-success' : 'text-danger'}`}
      >
        <Icon name={isOpen ? 'check' : 'alert'} />
        {isOpen ? 'Bookings are open' : 'Bookings are closed'}
      </p>
      <p className="max-w-prose">{text}</p>
      <WaysOn plan={plan} />
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

const SUBSCRIBES: readonly Plan['kind'][] = ['trial', 'trial_over', 'ended'];
const MANAGE: Record<Exclude<Plan['kind'], 'trial' | 'trial_over'>, string> = {
  subscribed: 'Manage subscription',
  ending: 'Renew or manage',
  grace: 'Update your card',
  unpaid: 'Update your card',
  ended: 'See past invoices',
};

function WaysOn({ plan: { kind } }: { plan: Plan }) {
  const going = useStore($going);
  const subscribes = SUBSCRIBES.includes(kind);
  return (
    <div className="flex flex-wrap gap-3">
      {subscribes && (
        <BusyButton
          busy={going === 'checkout'}
          disabled={going !== null}
          className="button button-main"
          onClick={() => goTo('checkout')}
        >
          {going === 'checkout' ? 'Opening the checkout…' : 'Subscribe'}
        </BusyButton>
      )}
      {kind !== 'trial' && kind !== 'trial_over' && (
        <BusyButton
          busy={going === 'portal'}
          disabled={going !== null}
          className={`button ${subscribes ? '' : 'button-main'}`}
          onClick={() => goTo('portal')}
        >
          {going === 'portal' ? 'Opening…' : MANAGE[kind]}
        </BusyButton>
      )}
    </div>
  );
}
