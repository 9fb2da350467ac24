import { useMemo } from 'react';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { saveAppointmentTime } from '#stores/studio/appointments.ts';
import { copyText } from '#stores/studio/clipboard.ts';
import { formatClientNotice } from '#stores/studio/mails.ts';
import { showSuccessToast } from '#stores/toasts.ts';
import { useValidatedForm } from '../../forms/validated_form.ts';
import { FormDialog } from '../FormDialog.tsx';
import { clientShortName, confirmationUrl } from './labels.ts';
import { useOpenedVersion } from './opened_version.ts';
import { TimeFields } from './TimeFields.tsx';
import { defaultTime, parseTypedTime, timeSchema, toTypedTime } from './time_form.ts';

interface TimeDialogProps {
  me: CurrentArtist;
  appointment: Appointment;
  onClose: () => void;
}

/** Offers a time for a request, or moves what has one already. */
export function TimeDialog({ me, appointment, onClose }: TimeDialogProps) {
  const zone = me.studio.time_zone;
  const { id, status, client } = appointment;
  const isOffer = status === 'requested';
  const withSeen = useOpenedVersion(appointment);
  // Clients must be able to confirm it; what they confirmed may be set right afterwards.
  const schema = useMemo(() => timeSchema(zone, status !== 'confirmed'), [zone, status]);
  const form = useValidatedForm(schema, initialTime(appointment, me));

  async function save(typed: { date: string; time: string; minutes: string }): Promise<void> {
    const stretch = parseTypedTime(zone, typed);
    if (stretch === null) return;
    await withSeen((seen) => saveAppointmentTime(seen, stretch));
    if (!isOffer) showSuccessToast('Moved.', formatClientNotice(client));
    else
      showSuccessToast('Offer made.', formatOfferMade(client), {
        label: 'Copy their link',
        run: () => void copyText(confirmationUrl(me, id)),
      });
  }

  return (
    <FormDialog
      title={isOffer ? `Offer ${clientShortName(client)} a time` : 'Move to another time'}
      form={form}
      draftName={`time-${id}`}
      saveLabel={isOffer ? 'Make the offer' : 'Move it'}
      wide
      onSave={save}
      onClose={onClose}
    >
      <TimeFields me={me} excludedId={id} />
    </FormDialog>
  );
}

function formatOfferMade(client: Appointment['client']): string {
  return client.email === null
    ? `Send ${clientShortName(client)} the link, so that they can confirm.`
    : `The link to confirm it is on its way to ${client.email}; whether it arrives shows under Mail.`;
}

const DEFAULT_MINUTES = 120;

function initialTime({ start, end, service }: Appointment, me: CurrentArtist) {
  if (start !== null && end !== null)
    return toTypedTime(me.studio.time_zone, {
      start: Date.parse(start),
      end: Date.parse(end) + MINUTE_MS,
    });
  return defaultTime(me, Date.now(), service?.duration ?? DEFAULT_MINUTES);
}
