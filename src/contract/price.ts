import * as z from 'zod/mini';
import { MAX_AMOUNT } from '#domain/money/money.ts';
import type { Price as DomainPrice } from '#domain/money/price.ts';
import { namedObject } from './common.ts';

const AMOUNT_ERROR = 'Must be a whole number of minor units, such as cents';

/** Whole minor units of a currency. */
const Amount = z
  .int(AMOUNT_ERROR)
  .check(z.minimum(0, 'Must not be negative'), z.maximum(MAX_AMOUNT, 'This amount is too large'));

const CURRENCY_ERROR = 'Must be a currency of ISO 4217, such as USD';

/** The code of a currency that the platform knows. */
export const Currency = z.string(CURRENCY_ERROR).check(
  z.trim(),
  z.toUpperCase(),
  z.refine((code) => Intl.supportedValuesOf('currency').includes(code), CURRENCY_ERROR),
  z.meta({ description: 'ISO 4217', examples: ['USD'] }),
);

/** The currency of an entered amount; unset: the artist's. */
const OwnCurrency = z.optional(Currency);

const CurrencyOutput = z.string().check(z.meta({ description: 'ISO 4217', examples: ['USD'] }));
const AmountOutput = z.int().check(z.describe('In minor units of the currency'));

/** A price as the API answers it. */
export const Price = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.enum(['fixed', 'from']),
      amount: AmountOutput,
      amount_to: z.null(),
      currency: CurrencyOutput,
    }),
    z.object({
      kind: z.literal('range'),
      amount: AmountOutput,
      amount_to: AmountOutput,
      currency: CurrencyOutput,
    }),
    z.object({
      kind: z.literal('ask'),
      amount: z.null(),
      amount_to: z.null(),
      currency: CurrencyOutput,
    }),
  ])
  .check(
    z.meta({ id: 'Price', description: 'With the kind `ask`, the artist names a price later' }),
  );

/** A price as the artist sets it; null removes it. */
export const PriceInput = z.nullable(
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.enum(['fixed', 'from']),
      amount: Amount,
      amount_to: z.optional(z.null()),
      currency: OwnCurrency,
    }),
    z
      .strictObject({
        kind: z.literal('range'),
        amount: Amount,
        amount_to: Amount,
        currency: OwnCurrency,
      })
      .check(
        z.refine(({ amount, amount_to }) => amount < amount_to, {
          path: ['amount_to'],
          error: 'Must be more than the lower amount',
        }),
      ),
    z.strictObject({
      kind: z.literal('ask'),
      amount: z.optional(z.null()),
      amount_to: z.optional(z.null()),
      currency: OwnCurrency,
    }),
  ]),
);
export type PriceInput = z.output<typeof PriceInput>;

/** Money as the API answers it. */
export const Money = namedObject('Money', { amount: AmountOutput, currency: CurrencyOutput });

/** Money as the artist enters it. */
export const MoneyInput = z.strictObject({ amount: Amount, currency: OwnCurrency });
export type MoneyInput = z.output<typeof MoneyInput>;

/**
 * The price of an input, with the fields that the input leaves out.
 * @param currency of the artist, for an input without one
 */
export function toPrice(input: PriceInput, currency: string): DomainPrice | null {
  if (input === null) return null;
  const { currency: code = currency } = input;
  if (input.kind === 'ask') return { kind: 'ask', amount: null, amount_to: null, currency: code };
  const { kind, amount } = input;
  return kind === 'range'
    ? { kind, amount, amount_to: input.amount_to, currency: code }
    : { kind, amount, amount_to: null, currency: code };
}
