import { useWatch } from 'react-hook-form';
import { extensionNotice } from '#domain/clients/phone.ts';
import { TextField } from '../forms/fields.tsx';

export function PhoneTextField({ name, label }: { name: string; label: string }) {
  const value: unknown = useWatch({ name });
  const hint = typeof value === 'string' ? extensionNotice(value) : null;
  return (
    <TextField name={name} label={label} type="tel" autoComplete="off" hint={hint ?? undefined} />
  );
}
