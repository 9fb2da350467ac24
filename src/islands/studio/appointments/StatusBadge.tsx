import type { AppointmentStatus } from '#domain/appointment.ts';
import { STATUS_LABELS } from './labels.ts';

const STATUS_CLASSES: Record<AppointmentStatus, string> = {
  requested: 'border-main bg-main text-on-main',
  held: 'border-dashed border-ink',
  offered: 'border-dashed border-ink',
  confirmed: 'border-success text-success',
  declined: 'border-line text-muted',
  expired: 'border-line text-muted',
  cancelled: 'border-line text-muted line-through',
  completed: 'border-line text-muted',
  no_show: 'border-danger text-danger',
};

export function StatusBadge({ status }: { status: AppointmentStatus }) {
  return (
    <span
      className={`inline-flex items-center rounded-full border px-2.5 py-0.5 text-sm font-semibold ${STATUS_CLASSES[status]}`}
    >
      {STATUS_LABELS[status]}
    </span>
  );
}
