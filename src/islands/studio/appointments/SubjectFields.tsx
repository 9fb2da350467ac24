import type { FetcherStore } from '@nanostores/query';
import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import type { Design } from '#contract/design.ts';
import type { Service } from '#contract/service.ts';
import { priceOfBooking } from '#domain/booking_price.ts';
import { $allDesigns, $allServices } from '#stores/studio/choices.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { SelectField } from '../../forms/fields.tsx';
import { QueryView } from '../LoadableView.tsx';
import { PriceFields } from '../money/PriceFields.tsx';
import { toPriceForm } from '../money/price_form.ts';

interface SubjectFieldsProps {
  currency: string;
  /** What is selected at first: also a choice that is deleted. */
  booked?: { readonly service: Service | null; readonly design: Design | null };
}

/**
 * The service, the design and the price of an appointment (`detailFields`). Choosing a design or a
 * service fills in what it knows: its length, its price and the design's service.
 */
export function SubjectFields({ currency, booked }: SubjectFieldsProps) {
  const { data: services } = useStore($allServices);
  const { data: designs } = useStore($allDesigns);
  usePrefilledFields({ services: services ?? [], designs: designs ?? [], currency });
  return (
    <>
      <ChoiceField
        name="service_id"
        label="Service (optional)"
        query={$allServices}
        booked={booked?.service}
        text={({ name, duration }) => `${name}, ${duration} minutes`}
      />
      <ChoiceField
        name="design_id"
        label="Design (optional)"
        query={$allDesigns}
        booked={booked?.design}
        text={({ name, left }) => (left === 0 ? `${name} (taken)` : name)}
      />
      <PriceFields name="price" currency={currency} />
    </>
  );
}

interface ChoiceFieldProps<T> {
  name: 'service_id' | 'design_id';
  label: string;
  query: FetcherStore<readonly T[]>;
  booked: T | null | undefined;
  text: (item: T) => string;
}

/** A select of what the query loads; nothing if there is nothing to choose. */
function ChoiceField<T extends { readonly id: string }>(props: ChoiceFieldProps<T>) {
  const { name, label, query, booked, text } = props;
  return (
    // Once they are there: a select takes no value that is not among its options.
    <QueryView query={query} label={name === 'service_id' ? 'services' : 'designs'} room="line">
      {(all) => {
        const items = booked && !all.some(({ id }) => id === booked.id) ? [booked, ...all] : all;
        const texts = Object.fromEntries(items.map((item) => [item.id, text(item)]));
        return (
          items.length > 0 && (
            <SelectField name={name} label={label} blank="None of them" texts={texts} />
          )
        );
      }}
    </QueryView>
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
          ? toPriceForm(price, visitorLocale())
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
