import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { BusyButton } from '../forms/BusyButton.tsx';
import { FieldFrame, useField } from '../forms/fields.tsx';
import type { PhoneRulesProps } from './details_form.ts';
import { PhoneRow } from './PhoneRow.tsx';

type CountryField = typeof import('./CountryPhoneField.tsx').CountryPhoneField;

/**
 * A phone number in the US or Canada, or with its country code. The rules of other countries are
 * loaded when the client asks for another country.
 */
export function PhoneField(props: PhoneRulesProps) {
  const { id, error, input } = useField({ name: 'phone_number' });
  const value: unknown = useWatch({ name: 'phone_number' });
  const [loading, setLoading] = useState<'busy' | 'failed' | null>(null);
  const [Field, setField] = useState<CountryField | null>(null);

  async function chooseCountry(): Promise<void> {
    setLoading('busy');
    try {
      const { CountryPhoneField } = await import('./CountryPhoneField.tsx');
      setField(() => CountryPhoneField);
      setLoading(null);
    } catch {
      setLoading('failed');
    }
  }

  if (Field) return <Field {...props} onBack={() => setField(null)} />;
  const prefix = typeof value === 'string' && value.trimStart().startsWith('+') ? '' : '+1';
  return (
    <div>
      <FieldFrame id={id} label="Phone number" error={error}>
        <PhoneRow
          prefix={prefix}
          value={value}
          button={
            <BusyButton className="link min-h-11" busy={loading === 'busy'} onClick={chooseCountry}>
              Another country
            </BusyButton>
          }
        >
          <input
            {...input}
            type="tel"
            autoComplete="tel-national"
            className={prefix === '' ? 'input' : 'input rounded-l-none'}
          />
        </PhoneRow>
      </FieldFrame>
      <p role="status">
        {loading === 'failed' &&
          'The countries did not load. You can begin with + and the country code.'}
      </p>
    </div>
  );
}
