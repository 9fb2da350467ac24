import type { Elements } from '../elements.ts';
import { InputPrefix } from '../forms/fields.tsx';

/**
 * The input of a phone number after a prefix such as `+1`, and a button. The button is beside the input
 * or between it and its error: an error on blur must not move the button that is being clicked.
 * @param prefix '' for none
 */
export function PhoneRow({
  prefix,
  button,
  children,
}: {
  prefix: string;
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
    </div>
  );
}
