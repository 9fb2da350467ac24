import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useFormContext } from 'react-hook-form';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { useControlledField } from '../forms/controlled_field.ts';
import { FieldFrame, useField } from '../forms/fields.tsx';
import type { PhoneRulesProps } from './details_form.ts';
import { PhoneRow } from './PhoneRow.tsx';
import {
  countryOf,
  keepsRules,
  listCountries,
  type PhoneCountry,
  toInternational,
  toNational,
  toPhoneValue,
} from './phone_countries.ts';

const FIELD = 'phone_number';

/**
 * A phone number by the rules of a country that the client chooses. The form's value has the country
 * code; the input shows the number as it is typed, until it loses the focus.
 */
export function CountryPhoneField({
  phoneRules,
  onBack,
}: PhoneRulesProps & { onBack: () => void }) {
  const { id, error, input } = useField({ name: FIELD });
  const { setFocus, setValue } = useFormContext();
  const field = useControlledField(FIELD);
  const value = typeof field.value === 'string' ? field.value : '';
  const countries = useMemo(() => listCountries(visitorLocale()), []);
  const [code, setCode] = useState<string | null>(() => countryOf(value));
  const [typed, setTyped] = useState(value);
  /** Whether the input shows the typed text, and not the number with its country code. */
  const [isTyping, setIsTyping] = useState(false);
  // While the client can choose a country, the form checks the number by the rules of its country.
  useEffect(() => {
    phoneRules.current = keepsRules;
    return () => {
      phoneRules.current = null;
    };
  }, [phoneRules]);

  const country = countries.find((one) => one.code === code);
  const toValue = (text: string, chosen = country): string =>
    chosen ? toPhoneValue(text, chosen) : text;
  // Whether the form's value is still that of `typed`: the form may have been emptied or restored since.
  const isCurrent = toValue(typed) === value;
  const isValid = country !== undefined && toInternational(value, country.code) !== null;
  const text = isCurrent && (isTyping || !isValid) ? typed : value;
  const prefix = text.trimStart().startsWith('+') ? '' : (country?.callingCode ?? '+1');

  /** The typed number, as it is dialled within the country. */
  function dialled(): string {
    return isCurrent && !typed.trimStart().startsWith('+') ? typed : toNational(value);
  }

  function chooseCountry(newCode: string): void {
    const newTyped = newCode === countryOf(value) ? value : dialled();
    const newValue = toValue(
      newTyped,
      countries.find((one) => one.code === newCode),
    );
    setCode(newCode);
    setTyped(newTyped);
    setIsTyping(false);
    if (newValue !== '')
      setValue(FIELD, newValue, { shouldDirty: true, shouldTouch: true, shouldValidate: true });
  }

  function goBack(): void {
    // First, because `setValue` may validate: the other field takes numbers of the US and Canada.
    phoneRules.current = null;
    setValue(FIELD, dialled(), { shouldDirty: true, shouldValidate: error !== undefined });
    // Renders the other field, which then gets the focus.
    flushSync(onBack);
    setFocus(FIELD);
  }

  return (
    <div className="grid content-start gap-4">
      <CountrySelect countries={countries} chosen={country} onChoose={chooseCountry} />
      <FieldFrame
        id={id}
        label="Phone number"
        error={
          error && country && !isValid
            ? `This is no phone number of this country: ${country.name}.`
            : error
        }
      >
        <PhoneRow
          prefix={prefix}
          value={value}
          button={
            <button type="button" className="link min-h-11 cursor-pointer" onClick={goBack}>
              Back to +1
            </button>
          }
        >
          <input
            {...input}
            ref={field.ref}
            type="tel"
            autoComplete="tel-national"
            className={prefix === '' ? 'input' : 'input rounded-l-none'}
            value={text}
            onChange={(event) => {
              setTyped(event.target.value);
              setIsTyping(true);
              field.onChange(toValue(event.target.value));
            }}
            onBlur={() => {
              setIsTyping(false);
              field.onBlur();
            }}
          />
        </PhoneRow>
      </FieldFrame>
    </div>
  );
}

interface CountrySelectProps {
  countries: readonly PhoneCountry[];
  chosen: PhoneCountry | undefined;
  onChoose: (code: string) => void;
}

function CountrySelect({ countries, chosen, onChoose }: CountrySelectProps) {
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    // While this code was loading, the client may have gone on to another field.
    if (document.activeElement === document.body) select.current?.focus();
  }, []);
  return (
    <div className="field">
      <label htmlFor={id}>Country of the number</label>
      <select
        ref={select}
        id={id}
        className="input"
        autoComplete="tel-country-code"
        value={chosen?.code ?? ''}
        onChange={(event) => onChoose(event.target.value)}
      >
        <option value="" disabled>
          Choose a country
        </option>
        {countries.map((one) => (
          <option key={one.code} value={one.code}>
            {`${one.name} (${one.callingCode})`}
          </option>
        ))}
      </select>
    </div>
  );
}
