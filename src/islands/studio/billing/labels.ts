import { formatDayWithYear } from '#domain/format_time.ts';
import type { BillingState } from '#stores/studio/billing.ts';

const TITLES: Record<BillingState['kind'], string> = {
  trial: 'You are on the free trial',
  subscribed: 'You are subscribed',
  ending: 'Your subscription is cancelled',
  grace: 'A payment failed',
  trial_over: 'Your trial is over',
  unpaid: 'A payment failed',
  ended: 'Your subscription has ended',
};
/** Whether clients can book. */
const IS_OPEN: Record<BillingState['kind'], boolean> = {
  trial: true,
  subscribed: true,
  ending: true,
  grace: true,
  trial_over: false,
  unpaid: false,
  ended: false,
};
const UNAFFECTED_NOTE =
  'Your page stays up, and what is booked stays booked: those clients can confirm, and you can offer, move and enter appointments.';

/**
 * Describes a plan to its artist. `isOpen` is whether clients can book.
 * @param zone the studio's
 */
export function planLabels(plan: BillingState, zone: string) {
  const isOpen = IS_OPEN[plan.kind];
  const text = planText(plan, zone);
  return { title: TITLES[plan.kind], text: isOpen ? text : `${text} ${UNAFFECTED_NOTE}`, isOpen };
}

function planText(plan: BillingState, zone: string): string {
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
    case 'ended':
      return `${plan.until === null ? '' : `It ended on ${day(plan.until)}. `}Clients cannot book with you until you subscribe again.`;
  }
}
