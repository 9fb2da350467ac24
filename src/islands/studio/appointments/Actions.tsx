import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { type ArtistAction, allowedArtistActions } from '#domain/artist_actions.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { removeAppointment, settleAtOnce } from '#stores/studio/appointments.ts';
import { $now } from '#stores/studio/now.ts';
import { $opened, close, closeAbout, open } from '#stores/studio/opened.ts';
import { Question } from '../../dialog/Question.tsx';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { NoteDialog } from './NoteDialog.tsx';
import { TimeDialog } from './TimeDialog.tsx';
import { shortName } from './words.ts';

interface ActionsProps {
  me: CurrentArtist;
  appointment: Appointment;
}

/** What the artist can do with an appointment as it stands. */
export function Actions({ me, appointment }: ActionsProps) {
  const now = useStore($now);
  const opened = useStore($opened);
  const [settling, setSettling] = useState<ArtistAction | null>(null);
  const { id, client } = appointment;
  const actions = allowedArtistActions(
    { status: appointment.status, time: timeOf(appointment) },
    now,
  );
  const asked = actions.find((action) => opened === `${action} ${id}`);
  useEffect(() => () => closeAbout(id), [id]);

  async function run(action: ArtistAction): Promise<void> {
    if (action !== 'complete' && action !== 'no_show') return open(`${action} ${id}`);
    setSettling(action);
    const name = shortName(client);
    if (action === 'complete')
      await settleAtOnce(appointment, 'completed', 'The appointment is marked as completed.');
    else await settleAtOnce(appointment, 'no_show', `It is noted that ${name} did not come.`);
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
              className={`button ${looks(action)}`}
              onClick={() => run(action)}
            >
              {LABELS[action]}
            </BusyButton>
          ))}
        </div>
      )}
      {(asked === 'offer' || asked === 'move') && (
        <TimeDialog me={me} appointment={appointment} onClose={close} />
      )}
      {(asked === 'decline' || asked === 'cancel') && (
        <NoteDialog appointment={appointment} action={asked} onClose={close} />
      )}
      {asked === 'delete' && (
        <Question
          title="Delete this appointment?"
          yes="Delete appointment"
          danger
          onYes={() => removeAppointment(appointment)}
          onClose={close}
        >
          <p>It cannot be brought back, and the client’s page of it will no longer be found.</p>
        </Question>
      )}
    </>
  );
}

const LABELS: Record<ArtistAction, string> = {
  offer: 'Offer a time',
  decline: 'Decline',
  complete: 'Completed',
  no_show: 'Did not come',
  move: 'Move',
  cancel: 'Cancel appointment',
  delete: 'Delete',
};

function looks(action: ArtistAction): string {
  if (action === 'decline' || action === 'cancel' || action === 'delete') return 'button-danger';
  return action === 'offer' || action === 'complete' ? 'button-main' : '';
}

/** The API already tells a lapsed one as expired. */
function timeOf({ start, end }: Appointment) {
  if (start === null || end === null) return null;
  return { start: Date.parse(start), end: Date.parse(end) + MINUTE_MS, expiresAt: null };
}
