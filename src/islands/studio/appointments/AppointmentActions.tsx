import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { type ArtistAction, allowedArtistActions } from '#domain/artist_actions.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { removeAppointment, transitionOrShowError } from '#stores/studio/appointments.ts';
import { $dialog, closeDialog, closeDialogAbout, openDialog } from '#stores/studio/dialog.ts';
import { $now } from '#stores/studio/now.ts';
import { ConfirmDialog } from '../../dialog/ConfirmDialog.tsx';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { DeclineOrCancelDialog } from './DeclineOrCancelDialog.tsx';
import { clientShortName } from './labels.ts';
import { TimeDialog } from './TimeDialog.tsx';

interface AppointmentActionsProps {
  me: CurrentArtist;
  appointment: Appointment;
}

/** What the artist can do with an appointment as it stands. */
export function AppointmentActions({ me, appointment }: AppointmentActionsProps) {
  const now = useStore($now);
  const opened = useStore($dialog);
  const [settling, setSettling] = useState<ArtistAction | null>(null);
  const { id, client } = appointment;
  const actions = allowedArtistActions(
    { status: appointment.status, time: toAppointmentTime(appointment) },
    now,
  );
  const asked = actions.find((action) => opened === `${action} ${id}`);
  useEffect(() => () => closeDialogAbout(id), [id]);

  async function run(action: ArtistAction): Promise<void> {
    if (action !== 'complete' && action !== 'no_show') return openDialog(`${action} ${id}`);
    setSettling(action);
    const name = clientShortName(client);
    if (action === 'complete')
      await transitionOrShowError(
        appointment,
        'completed',
        'The appointment is marked as completed.',
      );
    else
      await transitionOrShowError(appointment, 'no_show', `It is noted that ${name} did not come.`);
    setSettling(null);
  }

  return (
    <>
      {actions.length > 0 && (
        <div className="flex flex-wrap gap-3">
          {actions.map((action) => (
            <BusyButton
              key={action}
              busy={settling === action}
              disabled={settling !== null}
              className={`button ${buttonClass(action)}`}
              onClick={() => run(action)}
            >
              {ACTION_LABELS[action]}
            </BusyButton>
          ))}
        </div>
      )}
      {(asked === 'offer' || asked === 'move') && (
        <TimeDialog me={me} appointment={appointment} onClose={closeDialog} />
      )}
      {(asked === 'decline' || asked === 'cancel') && (
        <DeclineOrCancelDialog appointment={appointment} action={asked} onClose={closeDialog} />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title="Delete this appointment?"
          confirmLabel="Delete appointment"
          danger
          onConfirm={() => removeAppointment(appointment)}
          onClose={closeDialog}
        >
          <p>It cannot be brought back, and the client’s page of it will no longer be found.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const ACTION_LABELS: Record<ArtistAction, string> = {
  offer: 'Offer a time',
  decline: 'Decline',
  complete: 'Completed',
  no_show: 'Did not come',
  move: 'Move',
  cancel: 'Cancel appointment',
  delete: 'Delete',
};

function buttonClass(action: ArtistAction): string {
  if (action === 'decline' || action === 'cancel' || action === 'delete') return 'button-danger';
  return action === 'offer' || action === 'complete' ? 'button-main' : '';
}

/** The API already tells a lapsed one as expired. */
function toAppointmentTime({ start, end }: Appointment) {
  if (start === null || end === null) return null;
  return { start: Date.parse(start), end: Date.parse(end) + MINUTE_MS, expiresAt: null };
}
