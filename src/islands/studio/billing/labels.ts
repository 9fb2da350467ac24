import { formatDayWithYear } from '#domain/format_time.ts';
import type { BillingState } from '#stores/studio/billing.ts';

interface PlanLabels {
  readonly title: string;
  readonly text: string;
  /** Whether clients can book. */
  readonly isOpen: boolean;
}

const UNAFFECTED_NOTE =
  'Your page stays up, and what is booked stays booked: those clients can confirm, and you can offer, move and enter appointments.';

/**
 * How a plan stands, for the artist whose it is.
 * @param zone the studio's
 */
export function planLabels(plan: BillingState, zone: string): PlanLabels {
  const day = (until: number | null) => (until === null ? '' : formatDayWithYear(until, zone));
  switch (plan.kind) {
    case 'trial':
      return {
        title: 'You are on the free trial',
        text: `Your trial runs until ${day(plan.until)}. Subscribe to keep taking bookings after it.`,
        isOpen: true,
      };
    case 'subscribed':
      return {
        title: 'You are subscribed',
        text:
          plan.until === null
            ? 'Your subscription goes on by itself.'
            : // During a trial it is the first payment, and a renewal afterwards.
              `Your subscription goes on by itself. The next payment is on ${day(plan.until)}.`,
        isOpen: true,
      };
    case 'ending':
      return {
        title: 'Your subscription is cancelled',
        text: `${plan.until === null ? '' : `It ends on ${day(plan.until)}. `}Until it ends, bookings stay open, and you can renew it.`,
        isOpen: true,
      };
    case 'grace':
      return {
        title: 'A payment failed',
        text: `Bookings stay open until ${day(plan.until)}. Update your card before then.`,
        isOpen: true,
      };
    case 'trial_over':
      return {
        title: 'Your trial is over',
        text: `It ended on ${day(plan.until)}. Clients cannot book with you until you subscribe. ${UNAFFECTED_NOTE}`,
        isOpen: false,
      };
    case 'unpaid':
      return {
        title: 'A payment failed',
        text: `Clients cannot book with you until you update your card. ${UNAFFECTED_NOTE}`,
        isOpen: false,
      };
    case 'ended':
      return {
        title: 'Your subscription has ended',
        text: `${plan.until === null ? '' : `It ended on ${day(plan.until)}. `}Clients cannot book with you until you subscribe again. ${UNAFFECTED_NOTE}`,
        isOpen: false,
      };
  }
}
