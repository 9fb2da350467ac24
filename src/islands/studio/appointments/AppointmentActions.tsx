import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { type ArtistAction, allowedArtistActions } from '#domain/appointments/appointment.ts';
import { type Mark, markAppointment, removeAppointment } from '#stores/studio/appointments.ts';
import { parseAppointmentTime } from '#stores/studio/booked_appointments.ts';
import { $dialog, closeDialog, closeDialogAbout, openDialog } from '#stores/studio/dialog.ts';
import { $now } from '#stores/studio/now.ts';
import { ConfirmDialog } from '../../dialog/ConfirmDialog.tsx';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { Button, useOneAction } from '../buttons.tsx';
import type { AppointmentProps } from './appointment_props.ts';
import { DeclineOrCancelDialog } from './DeclineOrCancelDialog.tsx';
import { EditDetailsDialog } from './EditDetailsDialog.tsx';
import { NewAppointmentDialog } from './NewAppointmentDialog.tsx';
import { TimeDialog } from './TimeDialog.tsx';

/** A button for each action that the appointment's status and time allow now, and the open action's dialog. */
export function AppointmentActions({ me, appointment }: AppointmentProps) {
  const now = useStore($now);
  const dialog = useStore($dialog);
  const buttonProps = useOneAction();
  const { id, status } = appointment;
  const time = parseAppointmentTime(appointment);
  // `expiresAt` is not needed: the API already reports the status after a deadline.
  const actions = allowedArtistActions({ status, time: time && { ...time, expiresAt: null } }, now);
  const dialogAction = actions.find((action) => dialog === `${action} ${id}`);
  const canBookNext = status === 'confirmed' || status === 'completed';
  useEffect(() => () => closeDialogAbout(id), [id]);

  function run(action: ArtistAction): unknown {
    const { mark } = ACTIONS[action];
    return mark ? markAppointment(appointment, mark) : openDialog(`${action} ${id}`);
  }

  return (
    <>
      <div className="flex flex-wrap gap-3">
        {actions.map((action) => (
          <BusyButton
            key={action}
            {...buttonProps(action, () => run(action))}
            className={ACTIONS[action].className}
          >
            {ACTIONS[action].label}
          </BusyButton>
        ))}
        <Button label="Edit details" onClick={() => openDialog(`edit ${id}`)} />
        {canBookNext && (
          <Button label="Book next session" onClick={() => openDialog(`next ${id}`)} />
        )}
      </div>
      {dialog === `edit ${id}` && <EditDetailsDialog me={me} appointment={appointment} />}
      {dialog === `next ${id}` && canBookNext && (
        <NewAppointmentDialog me={me} lastSession={appointment} />
      )}
      {(dialogAction === 'offer' || dialogAction === 'move') && (
        <TimeDialog me={me} appointment={appointment} onClose={closeDialog} />
      )}
      {(dialogAction === 'decline' || dialogAction === 'cancel') && (
        <DeclineOrCancelDialog appointment={appointment} action={dialogAction} />
      )}
      {dialogAction === 'delete' && (
        <ConfirmDialog
          title="Delete this appointment?"
          confirmLabel="Delete appointment"
          danger
          onConfirm={() => removeAppointment(appointment)}
          onClose={closeDialog}
        >
          <p>It cannot be brought back, and the client’s page of it will no longer be found.</p>
          {appointment.payments.length > 0 && (
            <p>The payments that you noted for it are deleted too.</p>
          )}
          {appointment.keeps_edition && <p>Clients can book its design again.</p>}
        </ConfirmDialog>
      )}
    </>
  );
}

/** An action with a `mark` runs at once and can be undone; the others open a dialog. */
const ACTIONS: Record<ArtistAction, { label: string; className: string; mark?: Mark }> = {
  offer: { label: 'Offer a time', className: 'button button-main' },
  decline: { label: 'Decline', className: 'button button-danger' },
  complete: { label: 'Completed', className: 'button button-main', mark: 'completed' },
  no_show: { label: 'Did not come', className: 'button', mark: 'no_show' },
  reopen: { label: 'Back to booked', className: 'button', mark: 'confirmed' },
  move: { label: 'Move', className: 'button' },
  cancel: { label: 'Cancel appointment', className: 'button button-danger' },
  delete: { label: 'Delete', className: 'button button-danger' },
};
