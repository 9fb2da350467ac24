import { formatMoney, type Money } from '#domain/money/money.ts';
import { formatPrice, type Price } from '#domain/money/price.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { useHydrated } from './browser.ts';

/** The visitor's locale; until hydration `en-US`, with which our server renders. */
function usePriceLocale(): string {
  return useHydrated() ? visitorLocale() : 'en-US';
}

/** The price of a service or a design, in the visitor's format. */
export function PriceText({ price }: { price: Price }) {
  return <span>{formatPrice(price, usePriceLocale())}</span>;
}

/** The expected deposit and the artist's policy, which clients read before they book; '' is no policy. */
export function BookingTerms({ policy, deposit }: { policy: string; deposit: Money | null }) {
  const locale = usePriceLocale();
  return (
    <>
      {deposit && <p>{`A deposit of ${formatMoney(deposit, locale)} is expected.`}</p>}
      {policy && <p className="whitespace-pre-line wrap-anywhere">{policy}</p>}
    </>
  );
}
