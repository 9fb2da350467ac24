import * as z from 'zod/mini';
import { parseAmount, toTypedAmount } from '#domain/amount_input.ts';
import type { Money } from '#domain/money.ts';
import { PRICE_KINDS, type Price } from '#domain/price.ts';

/** A price as the fields of a form have it; an empty kind means no price. */
export interface PriceFormValues {
  kind: Price['kind'] | '';
  amount: string;
  amount_to: string;
}

/** @param locale in which the amounts are written, a BCP 47 tag */
export function toPriceForm(price: Price | null, locale: string): PriceFormValues {
  if (price === null) return { kind: '', amount: '', amount_to: '' };
  const write = (amount: number | null) =>
    amount === null ? '' : toTypedAmount({ amount, currency: price.currency }, locale);
  return { kind: price.kind, amount: write(price.amount), amount_to: write(price.amount_to) };
}

/**
 * The schema of the fields of a price. Amounts are only checked where the kind has them.
 * @param currency of the amounts
 * @param locale in which the amounts are written, a BCP 47 tag
 */
export function priceFormSchema(currency: string, locale: string) {
  const parse = (typed: string) => parseAmount(typed, currency, locale);
  return z.pipe(
    z
      .object({ kind: z.enum(['', ...PRICE_KINDS]), amount: z.string(), amount_to: z.string() })
      .check(({ value, issues }) => {
        if (value.kind === '' || value.kind === 'ask') return;
        const from = parse(value.amount);
        if (from.error !== undefined) issues.push(toIssue('amount', value.amount, from.error));
        if (value.kind !== 'range') return;
        const to = parse(value.amount_to);
        if (to.error !== undefined) issues.push(toIssue('amount_to', value.amount_to, to.error));
        else if (from.error === undefined && to.amount <= from.amount)
          issues.push(toIssue('amount_to', value.amount_to, 'Must be more than the lower amount'));
      }),
    z.transform(({ kind, amount, amount_to }: PriceFormValues): Price | null => {
      if (kind === '') return null;
      if (kind === 'ask') return { kind, amount: null, amount_to: null, currency };
      const from = parse(amount).amount ?? 0;
      if (kind === 'range')
        return { kind, amount: from, amount_to: parse(amount_to).amount ?? 0, currency };
      return { kind, amount: from, amount_to: null, currency };
    }),
  );
}

/** The schema of one field with an amount; empty is null. */
export function moneyFormSchema(currency: string, locale: string) {
  return z.pipe(
    z.string().check(({ value, issues }) => {
      if (value.trim() === '') return;
      const { error } = parseAmount(value, currency, locale);
      if (error !== undefined) issues.push({ code: 'custom', input: value, message: error });
    }),
    z.transform((typed: string): Money | null => {
      const { amount } = parseAmount(typed, currency, locale);
      return amount === undefined ? null : { amount, currency };
    }),
  );
}

function toIssue(field: 'amount' | 'amount_to', input: string, message: string) {
  return { code: 'custom' as const, input, message, path: [field] };
}
