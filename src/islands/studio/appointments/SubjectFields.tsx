import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import type { Design } from '#contract/design.ts';
import type { Service } from '#contract/service.ts';
import { priceOfBooking } from '#domain/price.ts';
import { $allDesigns } from '#stores/studio/all_designs.ts';
import { $allServices } from '#stores/studio/services.ts';
import { SelectField } from '../../forms/fields.tsx';
import { PriceFields } from '../money/PriceFields.tsx';
import { toPriceForm } from '../money/price_form.ts';

interface SubjectFieldsProps {
  currency: string;
  /** What is selected at first: also choices that are deleted or not loaded yet. */
  booked?: { readonly service: Service | null; readonly design: Design | null };
}

/**
 * The service, the design and the price of an appointment (`detailFields`). Choosing a design or a
 * service fills in what it knows: its length, its price and the design's service.
 */
export function SubjectFields({ currency, booked }: SubjectFieldsProps) {
  const services = withBooked(useStore($allServices).data ?? [], booked?.service);
  const designs = withBooked(useStore($allDesigns).data ?? [], booked?.design);
  usePrefilledFields({ services, designs, currency });
  return (
    <>
      {services.length > 0 && (
        <SelectField
          name="service_id"
          label="Service (optional)"
          blank="None of them"
          texts={Object.fromEntries(
            services.map(({ id, name, duration }) => [id, `${name}, ${duration} minutes`]),
          )}
        />
      )}
      {designs.length > 0 && (
        <SelectField
          name="design_id"
          label="Design (optional)"
          blank="None of them"
          texts={Object.fromEntries(
            designs.map(({ id, name, left }) => [id, left === 0 ? `${name} (taken)` : name]),
          )}
        />
      )}
      <PriceFields name="price" currency={currency} />
    </>
  );
}

/** Options of react-hook-form's `setValue`: the value is sent like typed input. */
const FILLED_IN = { shouldDirty: true, shouldValidate: true };

/** Follows only what the artist chooses: restored and initial values stay as they are. */
function usePrefilledFields(choices: {
  services: readonly Service[];
  designs: readonly Design[];
  currency: string;
}): void {
  const { watch, setValue, getValues, formState } = useFormContext();
  const { defaultValues } = formState;
  const isPriceTyped = useRef(false);
  useEffect(() => {
    const { services, designs, currency } = choices;
    const selected = <T extends { readonly id: string }>(items: readonly T[], field: string) =>
      items.find(({ id }) => id === getValues(field));

    function fillIn(field: 'service_id' | 'design_id'): void {
      const design = selected(designs, 'design_id');
      if (field === 'design_id' && design?.service_id)
        setValue('service_id', design.service_id, FILLED_IN);
      const service = selected(services, 'service_id');
      const minutes =
        field === 'design_id'
          ? (design?.duration ?? (design?.service_id ? service?.duration : undefined))
          : service?.duration;
      if (minutes !== undefined && getValues('minutes') !== undefined)
        setValue('minutes', String(minutes), FILLED_IN);
      if (isPriceTyped.current) return;
      const price = priceOfBooking(design, service);
      setValue(
        'price',
        price?.currency === currency
          ? toPriceForm(price, navigator.language)
          : defaultValues?.['price'],
        FILLED_IN,
      );
    }

    const { unsubscribe } = watch((_values, { name = '', type }) => {
      // Values that a script sets have no type.
      if (type !== 'change') return;
      if (name.startsWith('price.')) isPriceTyped.current = true;
      if (name === 'service_id' || name === 'design_id') fillIn(name);
    });
    return unsubscribe;
  }, [choices, watch, setValue, getValues, defaultValues]);
}

function withBooked<T extends { readonly id: string }>(
  items: readonly T[],
  booked: T | null | undefined,
): readonly T[] {
  return booked && !items.some(({ id }) => id === booked.id) ? [booked, ...items] : items;
}
