import { useStore } from '@nanostores/react';
import type { CurrentArtist } from '#contract/artist.ts';
import { formatDayWithYear } from '#domain/format_time.ts';
import type { StudioZone } from '#domain/zone_offsets.ts';
import { type BillingState, billingWarning, toBillingState } from '#stores/studio/billing.ts';
import { $now } from '#stores/studio/now.ts';
import { Icon } from '../Icon.tsx';

/** Warns on every studio page that bookings are closed, or soon will be. */
export function BillingBanner({ me }: { me: CurrentArtist }) {
  const now = useStore($now);
  const plan = toBillingState(me);
  const warning = plan && billingWarning(plan, now);
  if (!plan || !warning) return null;
  const isUrgent = warning !== 'trial_ends';
  return (
    <p
      className={`card flex items-start gap-3 border-l-4 p-4 ${isUrgent ? 'border-l-danger' : 'border-l-main'}`}
    >
      <Icon
        name={isUrgent ? 'alert' : 'hours'}
        className={`mt-0.5 size-5 ${isUrgent ? 'text-danger' : ''}`}
      />
      <span>
        <span>{`${formatBanner(plan, me.studio)} `}</span>
        <a className="link whitespace-nowrap" href="/studio/billing">
          Go to Billing
        </a>
      </span>
    </p>
  );
}

function formatBanner(plan: BillingState, zone: StudioZone): string {
  switch (plan.kind) {
    case 'trial':
      return plan.until === null
        ? 'Your trial ends soon.'
        : `Your trial ends on ${formatDayWithYear(plan.until, zone)}; bookings close then unless you subscribe.`;
    case 'grace':
      return `A payment failed. Bookings stay open until ${formatDayWithYear(plan.until, zone)}.`;
    case 'trial_over':
      return 'Your trial is over: clients cannot book with you now.';
    case 'unpaid':
      return 'A payment failed: clients cannot book with you now.';
    case 'paused':
      return 'Your subscription is paused: clients cannot book with you now.';
    default:
      return 'Your subscription has ended: clients cannot book with you now.';
  }
}
