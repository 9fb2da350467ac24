import * as z from 'zod/mini';
import { parseAmount, toTypedAmount } from '#domain/money/amount_input.ts';
import type { Money } from '#domain/money/money.ts';
import { PRICE_KINDS, type Price } from '#domain/money/price.ts';

/** A price as the fields of a form have it; an empty kind means no price. */
interface PriceFormValues {
  kind: Price['kind'] | '';
  amount: string;
  amount_to: string;
}

/** The initial values of the fields of a price. @param locale in which the amounts are written, a BCP 47 tag */
export function toPriceForm(price: Price | null, locale: string): PriceFormValues {
  if (price === null) return { kind: '', amount: '', amount_to: '' };
  const toText = (amount: number | null) =>
    amount === null ? '' : toTypedAmount({ amount, currency: price.currency }, locale);
  return { kind: price.kind, amount: toText(price.amount), amount_to: toText(price.amount_to) };
}

/**
 * The schema of the fields of a price. Amounts are only checked where the kind has them.
 * @param currency of the amounts
 * @param locale in which the amounts are written, a BCP 47 tag
 */
export function priceFormSchema(currency: string, locale: string) {
  return z.pipe(
    z.object({ kind: z.enum(['', ...PRICE_KINDS]), amount: z.string(), amount_to: z.string() }),
    z.transform(({ kind, amount, amount_to }: PriceFormValues, { issues }): Price | null => {
      if (kind === '') return null;
      if (kind === 'ask') return { kind, amount: null, amount_to: null, currency };
      const from = parseAmount(amount, currency, locale);
      if (from.error !== undefined) issues.push(toIssue('amount', amount, from.error));
      const price = { amount: from.amount ?? 0, currency };
      if (kind !== 'range') return { ...price, kind, amount_to: null };
      const to = parseAmount(amount_to, currency, locale);
      if (to.error !== undefined) issues.push(toIssue('amount_to', amount_to, to.error));
      else if (from.error === undefined && to.amount <= from.amount)
        issues.push(toIssue('amount_to', amount_to, 'Must be more than the lower amount'));
      return { ...price, kind, amount_to: to.amount ?? 0 };
    }),
  );
}

function toIssue(field: 'amount' | 'amount_to', input: string, message: string) {
  return { code: 'custom' as const, input, message, path: [field] };
}

/** The schema of a field with an amount; empty is null. Parameters as in `priceFormSchema`. */
export function moneyFormSchema(currency: string, locale: string) {
  return typedFieldSchema<Money>((typed) => {
    const { amount, error } = parseAmount(typed, currency, locale);
    return error === undefined ? { value: { amount, currency } } : { error };
  });
}

/** The schema of a text field whose value `parse` returns, or an error for the artist; empty is null. */
export function typedFieldSchema<T>(
  parse: (typed: string) => { readonly value: T } | { readonly error: string },
) {
  return z.pipe(
    z.string(),
    z.transform((typed: string, { issues }): T | null => {
      if (typed.trim() === '') return null;
      const parsed = parse(typed);
      if ('value' in parsed) return parsed.value;
      // The other fields of the form are checked all the same.
      issues.push({ code: 'custom', input: typed, message: parsed.error, continue: true });
      return null;
    }),
  );
}
