import { STATUS_LABELS } from '../appointments/labels.ts';
import { CALENDAR_STATUSES } from './statuses.ts';

/** What the looks of appointments mean. */
export function CalendarLegend() {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-2 text-sm text-muted" aria-label="What it means">
      {CALENDAR_STATUSES.map((status) => (
        <li key={status} className="flex items-center gap-2">
          <span className={`entry-swatch entry-${status}`} aria-hidden="true" />
          {STATUS_LABELS[status]}
        </li>
      ))}
      <li className="flex items-center gap-2">
        <span className="entry-swatch entry-closed" aria-hidden="true" />
        Closed
      </li>
      <li className="flex items-center gap-2">
        <span className="entry-swatch entry-buffer" aria-hidden="true" />
        Kept free after an appointment
      </li>
    </ul>
  );
}
