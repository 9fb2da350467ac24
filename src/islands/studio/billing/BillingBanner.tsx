import { useStore } from '@nanostores/react';
import type { CurrentArtist } from '#contract/artist.ts';
import { formatDayWithYear } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { type BillingState, needsWarning, toBillingState } from '#stores/studio/billing.ts';
import { $now } from '#stores/studio/now.ts';
import { Notice } from '../Notice.tsx';
import { PLAN_LABELS } from './labels.ts';

/** Warns on every studio page that bookings are closed, or soon will be. */
export function BillingBanner({ me }: { me: CurrentArtist }) {
  const now = useStore($now);
  const plan = toBillingState(me);
  if (plan === null || !needsWarning(plan, now)) return null;
  const isUrgent = plan.kind !== 'trial';
  return (
    <Notice isUrgent={isUrgent}>
      <span>{`${formatBanner(plan, me.studio)} `}</span>
      <a className="link whitespace-nowrap" href="/studio/billing">
        Go to Billing
      </a>
    </Notice>
  );
}

function formatBanner(plan: BillingState, zone: StudioZone): string {
  const { title } = PLAN_LABELS[plan.kind];
  if (plan.kind === 'trial')
    return plan.until === null
      ? 'Your trial ends soon.'
      : `Your trial ends on ${formatDayWithYear(plan.until, zone)}; bookings close then unless you subscribe.`;
  if (plan.kind === 'grace')
    return `${title}. Bookings stay open until ${formatDayWithYear(plan.until, zone)}.`;
  // With all other plans that need a warning, bookings are closed.
  return `${title}: clients cannot book with you now.`;
}
