import { useStore } from '@nanostores/react';
import type { RefObject } from 'react';
import type { Appointment } from '#contract/appointment.ts';
import {
  $markProgress,
  completeAll,
  type Mark,
  markAppointment,
} from '#stores/studio/appointments.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { useOneAction } from '../buttons.tsx';
import { appointmentClientName } from './labels.ts';

interface MarkButtonsProps {
  appointment: Appointment;
  /** Set once the appointment is marked. Its button may be gone then, and with it the focus. */
  hasMarked: RefObject<boolean>;
}

/** Marks a past appointment in a list as completed or missed; the toast offers Undo. */
export function MarkButtons({ appointment, hasMarked }: MarkButtonsProps) {
  const buttonProps = useOneAction();

  async function mark(status: Mark): Promise<void> {
    if (await markAppointment(appointment, status)) hasMarked.current = true;
  }

  return (
    <div className="flex flex-wrap gap-3">
      {BUTTONS.map(({ status, label }) => (
        <BusyButton key={status} {...buttonProps(status, () => mark(status))}>
          <span>{label}</span>
          <span className="sr-only">{`: ${appointmentClientName(appointment.client)}`}</span>
        </BusyButton>
      ))}
    </div>
  );
}

interface AllCompletedButtonProps {
  appointments: readonly Appointment[];
  /** The number of all, with those on other pages. */
  count: number;
  /** Set once the appointments are marked. */
  hasMarked?: RefObject<boolean>;
}

/** Marks all appointments of a list as completed; the toast offers Undo. Nothing for a single one. */
export function AllCompletedButton({ appointments, count, hasMarked }: AllCompletedButtonProps) {
  const progress = useStore($markProgress);
  if (appointments.length < 2) return null;
  const isAll = appointments.length === count;
  const label = isAll ? 'All completed' : `These ${appointments.length} are all completed`;
  return (
    <BusyButton
      busy={progress !== null}
      className="button justify-self-start"
      onClick={async () => {
        if ((await completeAll(appointments)) && hasMarked) hasMarked.current = true;
      }}
    >
      {progress ? `Marking ${progress.done + 1} of ${progress.total}…` : label}
    </BusyButton>
  );
}

const BUTTONS = [
  { status: 'completed', label: 'Completed' },
  { status: 'no_show', label: 'Did not come' },
] as const satisfies readonly { status: Mark; label: string }[];
