import { useWatch } from 'react-hook-form';
import type { Studio } from '#contract/artist.ts';
import { isTimeZone } from '#domain/time_zone.ts';

/** Says how a new time zone, not yet saved, affects the opening hours. */
export function StudioChangeNotice({ studio }: { studio: Studio }) {
  const zone: unknown = useWatch({ name: 'studio.time_zone' });
  const hasNewZone = typeof zone === 'string' && zone !== studio.time_zone && isTimeZone(zone);
  return (
    <div role="status">
      {hasNewZone && (
        <p className="mb-4 border-l-4 border-main pl-4">
          <strong>Your opening hours will be read in the new time zone.</strong>
          <span> You decide about upcoming appointments when you save.</span>
        </p>
      )}
    </div>
  );
}
