import { useFormContext, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { ArtistChanges, type CurrentArtist } from '#contract/artist.ts';
import { toTypedAmount } from '#domain/money/amount_input.ts';
import {
  countryOfZone,
  currencyOfCountry,
  listCountries,
  listCurrencies,
} from '#domain/time/country.ts';
import { countryOfLanguage } from '#domain/time/country_zones.ts';
import { saveProfile } from '#stores/studio/profile.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { SelectField, TextAreaField } from '../../forms/fields.tsx';
import { AmountField } from '../money/PriceFields.tsx';
import { moneyFormSchema } from '../money/price_form.ts';
import { SectionForm } from '../SectionForm.tsx';

const { booking_policy } = ArtistChanges.shape;

interface PricesForm {
  country: string;
  currency: string;
  booking_policy: string;
  deposit: string;
}

/** The currency of the artist's prices, and the texts for clients before they book. */
export function PricesSection({ me }: { me: CurrentArtist }) {
  return (
    <SectionForm
      schema={createSchema(me)}
      draftName="prices"
      saved={me}
      toValues={toPricesForm}
      saveLabel="Save prices and terms"
      onSave={(_, changes) =>
        saveProfile(changes, 'Appointments that are already made keep what was agreed.')
      }
    >
      <CountryFields me={me} />
      <TextAreaField
        name="booking_policy"
        label="Policy"
        hint="Clients read it before they book, such as: Free changes until 48 hours before. (optional)"
        rows={4}
      />
      <DepositField me={me} />
    </SectionForm>
  );
}

function toPricesForm({ country, currency, booking_policy, deposit }: CurrentArtist): PricesForm {
  return { country: country ?? '', currency, booking_policy, deposit: toTypedDeposit(deposit) };
}

function toTypedDeposit(deposit: CurrentArtist['deposit']): string {
  return deposit === null ? '' : toTypedAmount(deposit, visitorLocale());
}

/** The saved deposit keeps its currency; another amount is in the chosen one. */
function currencyOfDeposit({ deposit }: CurrentArtist, typed: string, chosen: string): string {
  return deposit !== null && typed === toTypedDeposit(deposit) ? deposit.currency : chosen;
}

/** The schema of the form. Its output is the input of the API. */
function createSchema(me: CurrentArtist) {
  const depositSchema = ({ deposit, currency }: PricesForm) =>
    moneyFormSchema(currencyOfDeposit(me, deposit, currency), visitorLocale());
  return z.pipe(
    z
      .object({
        country: z.string(),
        currency: z.string(),
        booking_policy: z.nonoptional(booking_policy),
        deposit: z.string(),
      })
      .check(({ value, issues }) => {
        const input = value.deposit;
        for (const { message } of depositSchema(value).safeParse(input).error?.issues ?? [])
          issues.push({ code: 'custom', input, message, path: ['deposit'] });
      }),
    z.transform((values: PricesForm) => ({
      ...values,
      country: values.country || null,
      deposit: depositSchema(values).parse(values.deposit),
    })),
  );
}

function DepositField({ me }: { me: CurrentArtist }) {
  const [deposit, currency] = useWatch<PricesForm, ['deposit', 'currency']>({
    name: ['deposit', 'currency'],
  });
  return (
    <AmountField
      name="deposit"
      label="Expected deposit"
      hint="What clients should pay in advance, in a way that you agree on. Empty for none."
      currency={currencyOfDeposit(me, deposit, currency)}
    />
  );
}

/** Choosing a country also chooses its currency. */
function CountryFields({ me }: { me: CurrentArtist }) {
  const { setValue } = useFormContext();
  const countryNames = new Intl.DisplayNames('en', { type: 'region' });
  const currencyNames = new Intl.DisplayNames('en', { type: 'currency' });
  const likely = [
    me.country ?? countryOfZone(me.studio.time_zone),
    countryOfLanguage(visitorLocale()),
  ];
  // By name; then the likely ones first, and the others stay by name.
  const countries = listCountries()
    .map((code) => [code, countryNames.of(code) ?? code] as const)
    .toSorted(([, name], [, otherName]) => name.localeCompare(otherName, 'en'))
    .toSorted(([code], [otherCode]) => rankIn(likely, code) - rankIn(likely, otherCode));
  const currencies = listCurrencies(likely).map(
    (code) => [code, `${code}: ${currencyNames.of(code) ?? code}`] as const,
  );
  return (
    <div className="grid gap-x-4 sm:grid-cols-2">
      <SelectField
        name="country"
        label="Country of the studio"
        blank="Not said"
        texts={Object.fromEntries(countries)}
        onChoose={(country) =>
          setValue('currency', currencyOfCountry(country), { shouldDirty: true })
        }
      />
      <SelectField
        name="currency"
        label="Currency of new prices"
        hint="Prices that are set keep theirs."
        texts={Object.fromEntries(currencies)}
      />
    </div>
  );
}

/** The place of a code among the likely ones; for all others the same place, after them. */
function rankIn(likely: readonly (string | null)[], code: string): number {
  const index = likely.indexOf(code);
  return index === -1 ? likely.length : index;
}
