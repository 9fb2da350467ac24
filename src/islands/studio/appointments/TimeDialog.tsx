import { useStore } from '@nanostores/react';
import { useMemo } from 'react';
import type { Appointment } from '#contract/appointment.ts';
import { zoneToEdit } from '#domain/time/zone_offsets.ts';
import {
  $bufferQuestion,
  saveAppointmentTime,
  undoOfMove,
} from '#stores/studio/appointment_time.ts';
import { parseAppointmentTime } from '#stores/studio/booked_appointments.ts';
import { formatClientNotice } from '#stores/studio/mails.ts';
import { firstDateToSuggest } from '#stores/studio/suggested_time.ts';
import { showSuccessToast } from '#stores/toasts.ts';
import { ConfirmDialog } from '../../dialog/ConfirmDialog.tsx';
import { TextAreaField } from '../../forms/fields.tsx';
import { copyText } from '../CopyButton.tsx';
import { FormDialog } from '../FormDialog.tsx';
import {
  DEFAULT_MINUTES,
  defaultTime,
  readTypedTime,
  type TimeForm,
  timeSchema,
  toTypedTime,
} from './appointment_form.ts';
import type { AppointmentProps } from './appointment_props.ts';
import { clientShortName, confirmationUrl } from './labels.ts';
import { useOpenedVersion } from './opened_version.ts';
import { TimeFields } from './TimeFields.tsx';

interface TimeDialogProps extends AppointmentProps {
  onClose: () => void;
}

/** Offers a time for a request, or moves an appointment to another time. */
export function TimeDialog({ me, appointment, onClose }: TimeDialogProps) {
  const zone = me.studio;
  const { id, status, client, service, design } = appointment;
  const isOffer = status === 'requested';
  const hasNote = isOffer || status === 'offered';
  const changeOpened = useOpenedVersion(appointment);
  // A confirmed appointment may be corrected to a past time. Any other time must still be confirmed by the client.
  const mustLieAhead = status !== 'confirmed';
  const schema = useMemo(() => timeSchema(zone, { mustLieAhead }), [zone, mustLieAhead]);
  const bookedTime = parseAppointmentTime(appointment);
  const minutes = service?.duration ?? design?.duration ?? DEFAULT_MINUTES;

  async function save(typed: TimeForm): Promise<void> {
    const note = hasNote ? typed.note : undefined;
    const { opened, saved } = await changeOpened(async (version) => {
      const saved = await saveAppointmentTime(version, readTypedTime(typed), note);
      return { opened: version, saved };
    });
    const isSameStart = saved.start === opened.start;
    if (saved.version === opened.version)
      showSuccessToast('Nothing changed.', 'It has this time already.');
    else if (isOffer && !isSameStart)
      showSuccessToast('Offer made.', formatOfferMade(client), {
        label: 'Copy their link',
        run: () => void copyText(confirmationUrl(me, id)),
      });
    else
      showSuccessToast(
        isSameStart ? 'Saved.' : 'Moved.',
        formatClientNotice(client),
        undoOfMove(opened, saved, zone),
      );
  }

  return (
    <FormDialog
      title={isOffer ? `Offer ${clientShortName(client)} a time` : 'Move to another time'}
      schema={schema}
      defaultValues={{
        ...(bookedTime
          ? toTypedTime(zoneToEdit(zone, appointment, bookedTime.start), bookedTime)
          : defaultTime(me, minutes, firstDateToSuggest(me, 'offer', []))),
        // A request may have the note of an earlier offer, which is not shown again.
        note: status === 'offered' ? (appointment.note ?? '') : '',
      }}
      draftName={`time-${id}`}
      saveLabel={isOffer ? 'Make the offer' : 'Move it'}
      wide
      onSave={save}
      onClose={onClose}
    >
      <TimeFields
        me={me}
        movedId={id}
        suggestion={bookedTime ? null : { purpose: 'offer', about: appointment }}
      />
      {hasNote && (
        <TextAreaField
          name="note"
          label={`A note to ${clientShortName(client)} (optional)`}
          hint="They read it on the page of their appointment, which our email links to."
          rows={3}
        />
      )}
    </FormDialog>
  );
}

function formatOfferMade(client: Appointment['client']): string {
  return client.email === null
    ? `Send ${clientShortName(client)} the link, so that they can confirm.`
    : `The link to confirm it is on its way to ${client.email}; whether it arrives shows under Mail.`;
}

/** Asks the artist whether the time that they set may touch a buffer; renders nothing while nothing is asked. */
export function BufferQuestion() {
  const answer = useStore($bufferQuestion);
  if (answer === null) return null;
  return (
    <ConfirmDialog
      title="Leave no buffer?"
      confirmLabel="Leave no buffer"
      cancelLabel="Pick another time"
      onConfirm={async () => answer(true)}
      onClose={() => answer(false)}
    >
      <p>
        The time overlaps no appointment, only the buffer beside one. Both appointments stay; only
        the buffer between them becomes shorter.
      </p>
    </ConfirmDialog>
  );
}
