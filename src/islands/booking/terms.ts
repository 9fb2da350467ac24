import type { Design } from '#contract/design.ts';
import type { Money } from '#domain/money/money.ts';

type DesignFacts = Pick<Design, 'duration' | 'price' | 'service_id' | 'left'>;

/** Terms that the client reads before they send the form. */
export interface TermsProps {
  /** Of the chosen design; null without a design. */
  designFacts?: DesignFacts | null;
  /** Of the artist; empty without a policy. */
  policy?: string;
  /** Null for none. */
  deposit?: Money | null;
}
