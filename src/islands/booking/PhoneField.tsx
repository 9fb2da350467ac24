import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { BusyButton } from '../forms/BusyButton.tsx';
import { FieldFrame, useField } from '../forms/fields.tsx';
import type { PhoneRulesProps } from './details_form.ts';
import { PhoneRow } from './PhoneRow.tsx';

/**
 * A phone number in the US or Canada, or with its country code. The rules of other countries are
 * loaded when the client asks for another country.
 */
export function PhoneField(props: PhoneRulesProps) {
  const { id, error, input } = useField({ name: 'phone_number' });
  const value: unknown = useWatch({ name: 'phone_number' });
  const [loading, setLoading] = useState<'busy' | 'failed' | null>(null);
  const [fieldCode, setFieldCode] = useState<typeof import('./CountryPhoneField.tsx') | null>(null);

  async function chooseCountry(): Promise<void> {
    setLoading('busy');
    try {
      setFieldCode(await import('./CountryPhoneField.tsx'));
      setLoading(null);
    } catch {
      setLoading('failed');
    }
  }

  if (fieldCode)
    return <fieldCode.CountryPhoneField {...props} onBack={() => setFieldCode(null)} />;
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
