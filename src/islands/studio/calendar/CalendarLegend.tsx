import { STATUS_LABELS } from '../appointments/labels.ts';

const { confirmed, held, offered, completed, no_show } = STATUS_LABELS;
const STATUSES = { confirmed, held, offered, completed, no_show };
/** The labels by CSS class: `entry-confirmed` and so on. */
const LEGEND = { ...STATUSES, closed: 'Closed', buffer: 'Kept free after an appointment' };

/** Explains the colors and patterns on the calendar. */
export function CalendarLegend() {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-2 text-sm text-muted" aria-label="What it means">
      {Object.entries(LEGEND).map(([name, label]) => (
        <li key={name} className="flex items-center gap-2">
          <span className={`entry-swatch entry-${name}`} aria-hidden="true" />
          {label}
        </li>
      ))}
    </ul>
  );
}
