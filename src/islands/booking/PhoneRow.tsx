import { extensionNotice } from '#domain/clients/phone.ts';
import type { Elements } from '../elements.ts';
import { InputPrefix } from '../forms/fields.tsx';

interface PhoneRowProps {
  /** Such as `+1`; '' for none. */
  prefix: string;
  /** The value of the form's field, for the notice about an extension. */
  value: unknown;
  button: Elements;
  children: Elements;
}

/**
 * The input of a phone number after a prefix, and a button. The button is beside the input, or between the input
 * and its error, so that an error on blur does not move the button while it is clicked.
 */
export function PhoneRow({ prefix, value, button, children }: PhoneRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <div className="flex min-w-0 grow basis-44">
        {prefix !== '' && <InputPrefix text={prefix} />}
        {children}
      </div>
      {button}
      <p role="status" className="basis-full text-sm text-muted empty:hidden">
        {typeof value === 'string' && extensionNotice(value)}
      </p>
    </div>
  );
}
