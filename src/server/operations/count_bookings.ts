import { refusalReasonOf } from '#domain/refusal.ts';
import type { Context } from './context.ts';

/** Counts a step of a booking that was refused or has failed. */
export function countRefusedBooking({ metrics }: Pick<Context, 'metrics'>, error: unknown): void {
  const reason = refusalReasonOf(error);
  metrics.countBooking(reason === undefined ? 'failed' : 'refused', reason);
}
