/** The events that operations count for the operator. `prometheus_metrics.ts` exports the counts. */
import type { MailKind } from '#domain/mail/mail.ts';
import type { RefusalReason } from '#domain/refusal.ts';

/** Why a call was refused. `invalid_input`: it does not fit the schemas, or a rule of the domain. */
type CountedReason = RefusalReason | 'invalid_input';

/** `held` and `requested`: a client's new booking; `failed`: an error that no client should cause. */
export type BookingOutcome = 'held' | 'requested' | 'confirmed' | 'refused' | 'failed';

/** `retried`: this attempt failed, another one follows; `failed`: given up. */
export type MailOutcome = 'sent' | 'saved' | 'retried' | 'failed';

/** `miss` includes requests that shared a running render; `bypass`: no cache may store the response. */
export type CacheOutcome = 'hit' | 'stale' | 'miss' | 'bypass';

/** A request whose response has ended. */
export interface AnsweredRequest {
  /** The pattern of the route, such as `/[username]/about`; never a path, which may hold an id. */
  readonly route: string;
  readonly method: string;
  /** 499 if the client disconnected before it had the whole response. */
  readonly status: number;
  readonly seconds: number;
  /** Undefined for a response that no cache is asked for, such as that of a POST. */
  readonly cache: CacheOutcome | undefined;
}

export interface Metrics {
  observeRequest(request: AnsweredRequest): void;
  countRefusal(reason: CountedReason): void;
  /** @param reason of a refused booking */
  countBooking(outcome: BookingOutcome, reason?: CountedReason): void;
  countMail(kind: MailKind, outcome: MailOutcome): void;
}

/** Counts nothing: without `METRICS_PORT`. */
export const NO_METRICS: Metrics = {
  observeRequest: () => {},
  countRefusal: () => {},
  countBooking: () => {},
  countMail: () => {},
};
