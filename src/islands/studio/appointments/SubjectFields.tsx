import type { FetcherStore } from '@nanostores/query';
import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import type { Design } from '#contract/design.ts';
import type { Service } from '#contract/service.ts';
import { priceOfBooking } from '#domain/booking/booking_price.ts';
import { $allDesigns, $allServices } from '#stores/studio/choices.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { SelectField } from '../../forms/fields.tsx';
import { QueryView } from '../LoadableView.tsx';
import { PriceFields } from '../money/PriceFields.tsx';
import { toPriceForm } from '../money/price_form.ts';
import { LIKE_TYPED } from './appointment_form.ts';

interface SubjectFieldsProps {
  currency: string;
  /** The service and the design selected at first. They may be deleted by now. */
  booked: { readonly service: Service | null; readonly design: Design | null } | null;
}

/**
 * The service, the design and the price of an appointment (`detailFields`). Choosing a design or a
 * service fills in its facts: its length, its price and the design's service.
 */
export function SubjectFields({ currency, booked }: SubjectFieldsProps) {
  const fillIn = useFillIn(currency);
  return (
    <>
      <ChoiceField
        name="service_id"
        label="Service (optional)"
        query={$allServices}
        booked={booked?.service ?? null}
        toText={({ name, duration }) => `${name}, ${duration} minutes`}
        onChoose={() => fillIn('service_id')}
      />
      <ChoiceField
        name="design_id"
        label="Design (optional)"
        query={$allDesigns}
        booked={booked?.design ?? null}
        toText={({ name, left }) => (left === 0 ? `${name} (taken)` : name)}
        onChoose={() => fillIn('design_id')}
      />
      <PriceFields name="price" currency={currency} />
    </>
  );
}

interface ChoiceFieldProps<T> {
  name: 'service_id' | 'design_id';
  label: string;
  query: FetcherStore<readonly T[]>;
  booked: T | null;
  toText: (item: T) => string;
  onChoose: () => void;
}

/** A select of the items that the query loads; renders nothing if there are none. */
function ChoiceField<T extends { readonly id: string }>(props: ChoiceFieldProps<T>) {
  const { query, booked, toText, ...field } = props;
  return (
    // The select waits for its options: it cannot show a value that is not among them.
    <QueryView
      query={query}
      label={field.name === 'service_id' ? 'services' : 'designs'}
      room="line"
    >
      {(all) => {
        const items = booked && !all.some(({ id }) => id === booked.id) ? [booked, ...all] : all;
        const texts = Object.fromEntries(items.map((item) => [item.id, toText(item)]));
        return items.length > 0 && <SelectField {...field} blank="None of them" texts={texts} />;
      }}
    </QueryView>
  );
}

/**
 * Returns a function that fills in the facts of the chosen service or design: the length, the price, and the
 * design's service. A price that the artist has typed stays.
 */
function useFillIn(currency: string) {
  const { watch, setValue, getValues, formState } = useFormContext();
  const { defaultValues } = formState;
  const { data: services } = useStore($allServices);
  const { data: designs } = useStore($allDesigns);
  const isPriceTyped = useRef(false);
  useEffect(() => {
    const { unsubscribe } = watch((_values, { name = '', type }) => {
      // A value that `setValue` sets has no type.
      if (type === 'change' && name.startsWith('price.')) isPriceTyped.current = true;
    });
    return unsubscribe;
  }, [watch]);

  return (chosen: 'service_id' | 'design_id') => {
    const design = designs?.find(({ id }) => id === getValues('design_id'));
    if (chosen === 'design_id' && design?.service_id)
      setValue('service_id', design.service_id, LIKE_TYPED);
    const service = services?.find(({ id }) => id === getValues('service_id'));
    // A design without a service does not get the length of a service that was chosen before.
    const isOfService = chosen === 'service_id' || Boolean(design?.service_id);
    const serviceMinutes = isOfService ? service?.duration : undefined;
    const minutes = chosen === 'design_id' ? (design?.duration ?? serviceMinutes) : serviceMinutes;
    // The form that edits only the details has no field `minutes`.
    if (minutes !== undefined && getValues('minutes') !== undefined)
      setValue('minutes', String(minutes), LIKE_TYPED);
    if (isPriceTyped.current) return;
    const price = priceOfBooking(design, service);
    // The fields take one currency only. Without a price in it, they return to the form's first price.
    const isSameCurrency = price?.currency === currency;
    const shown = isSameCurrency ? toPriceForm(price, visitorLocale()) : defaultValues?.['price'];
    setValue('price', shown, LIKE_TYPED);
  };
}
