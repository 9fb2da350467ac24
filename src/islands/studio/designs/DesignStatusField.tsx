import { useFormContext } from 'react-hook-form';
import { DESIGN_STATUSES } from '#domain/artwork.ts';
import { DESIGN_STATUS_LABELS } from './labels.ts';

/** Who sees a design, each choice with what it means for clients. */
export function DesignStatusField({ name }: { name: string }) {
  const { register } = useFormContext();
  return (
    <fieldset className="grid gap-1 pb-4">
      <legend className="pb-1 font-semibold">Who sees it</legend>
      {DESIGN_STATUSES.map((status) => (
        <label key={status} className="flex min-h-11 cursor-pointer items-start gap-3 py-1.5">
          <input
            {...register(name)}
            type="radio"
            value={status}
            className="mt-0.5 size-5 shrink-0 accent-main"
          />
          <span>
            <span className="block font-semibold">{DESIGN_STATUS_LABELS[status].name}</span>
            <span className="block text-sm text-muted">
              {DESIGN_STATUS_LABELS[status].description}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
