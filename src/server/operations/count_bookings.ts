import { refusalReasonOf } from '#domain/refusal.ts';
import type { Context } from './context.ts';

/** Runs a step of a booking, and counts it if it is refused or fails. Its caller counts a success. */
export async function countRefusedBooking<T>(
  { metrics }: Pick<Context, 'metrics'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = refusalReasonOf(error);
    metrics.countBooking(reason === undefined ? 'failed' : 'refused', reason);
    throw error;
  }
}
