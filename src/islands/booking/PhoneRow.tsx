import { extensionNotice } from '#domain/phone.ts';
import type { Elements } from '../elements.ts';
import { InputPrefix } from '../forms/fields.tsx';

/**
 * The input of a phone number after a prefix such as `+1`, and a button. The button is beside the input
 * or between it and its error: an error on blur must not move the button that is being clicked.
 * @param prefix '' for none
 * @param value of the form
 */
export function PhoneRow({
  prefix,
  value,
  button,
  children,
}: {
  prefix: string;
  value: unknown;
  button: Elements;
  children: Elements;
}) {
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
