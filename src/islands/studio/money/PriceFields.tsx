import { useFormContext } from 'react-hook-form';
import { SelectField, TextField } from '../../forms/fields.tsx';

const PRICE_KIND_TEXTS = {
  fixed: 'A fixed price',
  from: 'From an amount',
  range: 'Between two amounts',
  ask: 'On request',
};

/** The fields of a price (`priceFormSchema`). @param name the path of the price in the form */
export function PriceFields({ name, currency }: { name: string; currency: string }) {
  const kind: unknown = useFormContext().watch(`${name}.kind`);
  return (
    <fieldset className="grid gap-x-4 sm:grid-cols-2">
      <legend className="sr-only">Price</legend>
      <SelectField name={`${name}.kind`} label="Price" blank="No price" texts={PRICE_KIND_TEXTS} />
      {(kind === 'fixed' || kind === 'from' || kind === 'range') && (
        <div className="grid grid-cols-1 gap-x-4 sm:col-span-2 sm:grid-cols-2">
          <AmountField
            name={`${name}.amount`}
            label={kind === 'range' ? 'Lowest amount' : 'Amount'}
            currency={currency}
          />
          {kind === 'range' && (
            <AmountField name={`${name}.amount_to`} label="Highest amount" currency={currency} />
          )}
        </div>
      )}
    </fieldset>
  );
}

interface AmountFieldProps {
  name: string;
  label: string;
  hint?: string;
  currency: string;
}

/** A field for an amount of money, which the artist types as 150 or 150.50. */
export function AmountField(props: AmountFieldProps) {
  const { currency, ...field } = props;
  return <TextField {...field} prefix={currency} inputMode="decimal" autoComplete="off" />;
}
