import { STATUSES } from '../appointments/StatusBadge.tsx';

const { confirmed, held, offered, completed, no_show } = STATUSES;
const TIMES = { closed: { label: 'Closed' }, buffer: { label: 'Kept free after an appointment' } };
/** The labels by CSS class: `entry-confirmed` and so on. */
const LEGEND = { confirmed, held, offered, completed, no_show, ...TIMES };

/** Explains the colors and patterns on the calendar. */
export function CalendarLegend() {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-2 text-sm text-muted" aria-label="What it means">
      {Object.entries(LEGEND).map(([name, { label }]) => (
        <li key={name} className="flex items-center gap-2">
          <span className={`entry-swatch entry-${name}`} aria-hidden="true" />
          <span>{label}</span>
        </li>
      ))}
    </ul>
  );
}
