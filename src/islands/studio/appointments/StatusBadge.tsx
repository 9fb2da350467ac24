import type { AppointmentStatus } from '#domain/appointments/appointment.ts';

/** Each status in words for the artist, and the look of its badge. */
export const STATUSES: Record<AppointmentStatus, { label: string; className: string }> = {
  requested: { label: 'Waiting for your answer', className: 'border-main bg-main text-on-main' },
  held: { label: 'Picked, not confirmed yet', className: 'border-dashed border-ink' },
  offered: { label: 'Offered, not confirmed yet', className: 'border-dashed border-ink' },
  confirmed: { label: 'Confirmed', className: 'border-success text-success' },
  declined: { label: 'Declined', className: 'border-line text-muted' },
  expired: { label: 'Not confirmed in time', className: 'border-line text-muted' },
  cancelled: { label: 'Cancelled', className: 'border-line text-muted line-through' },
  completed: { label: 'Completed', className: 'border-line text-muted' },
  no_show: { label: 'Did not come', className: 'border-danger text-danger' },
};

export function StatusBadge({ status }: { status: AppointmentStatus }) {
  const { label, className } = STATUSES[status];
  return (
    <span
      className={`inline-flex items-center rounded-full border px-2.5 py-0.5 text-sm font-semibold ${className}`}
    >
      {label}
    </span>
  );
}
