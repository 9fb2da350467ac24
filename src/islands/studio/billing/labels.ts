import { formatDayWithYear } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import type { BillingState } from '#stores/studio/billing.ts';

interface PlanLabels {
  title: string;
  /** Whether clients can book. */
  isOpen: boolean;
  /** The label of the button to the provider's portal; null before the first subscription. */
  portal: string | null;
}

export const PLAN_LABELS: Record<BillingState['kind'], PlanLabels> = {
  trial: { title: 'You are on the free trial', isOpen: true, portal: null },
  subscribed: { title: 'You are subscribed', isOpen: true, portal: 'Manage subscription' },
  ending: { title: 'Your subscription is cancelled', isOpen: true, portal: 'Renew or manage' },
  grace: { title: 'A payment failed', isOpen: true, portal: 'Update your card' },
  trial_over: { title: 'Your trial is over', isOpen: false, portal: null },
  unpaid: { title: 'A payment failed', isOpen: false, portal: 'Update your card' },
  paused: { title: 'Your subscription is paused', isOpen: false, portal: 'Resume subscription' },
  ended: { title: 'Your subscription has ended', isOpen: false, portal: 'See past invoices' },
};

/** Added to the text of a plan with which bookings are closed. */
export const UNAFFECTED_NOTE =
  'Your page stays up, and what is booked stays booked: those clients can confirm, and you can offer, move and enter appointments.';

/** What a subscription's state means for its artist. @param zone of the studio */
export function planText(plan: BillingState, zone: StudioZone): string {
  const day = (until: number | null) => (until === null ? '' : formatDayWithYear(until, zone));
  switch (plan.kind) {
    case 'trial':
      return `Your trial runs until ${day(plan.until)}. Subscribe to keep taking bookings after it.`;
    case 'subscribed':
      if (plan.until === null) return 'Your subscription goes on by itself.';
      // Not "renewal": for an artist who subscribed during the trial it is the first payment.
      return `Your subscription goes on by itself. The next payment is on ${day(plan.until)}.`;
    case 'ending':
      return `${plan.until === null ? '' : `It ends on ${day(plan.until)}. `}Until it ends, bookings stay open, and you can renew it.`;
    case 'grace':
      return `Bookings stay open until ${day(plan.until)}. Update your card before then.`;
    case 'trial_over':
      return `It ended on ${day(plan.until)}. Clients cannot book with you until you subscribe.`;
    case 'unpaid':
      return 'Clients cannot book with you until you update your card.';
    case 'paused':
      return 'Clients cannot book with you until you resume it: add a card for it.';
    case 'ended':
      return `${plan.until === null ? '' : `It ended on ${day(plan.until)}. `}Clients cannot book with you until you subscribe again.`;
  }
}
