import { useMemo } from 'react';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { setTime } from '#stores/studio/appointments.ts';
import { copyText } from '#stores/studio/clipboard.ts';
import { whoTells } from '#stores/studio/mails.ts';
import { tellSuccess } from '#stores/toasts.ts';
import { useJudgedForm } from '../../forms/judged_form.ts';
import { FormDialog } from '../FormDialog.tsx';
import { useSeen } from './seen.ts';
import { TimeFields } from './TimeFields.tsx';
import { firstTime, readTyped, timeForm, typedTime } from './time_form.ts';
import { clientsPage, shortName } from './words.ts';

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
  const withSeen = useSeen(appointment);
  // Clients must be able to confirm it; what they confirmed may be set right afterwards.
  const schema = useMemo(() => timeForm(zone, status !== 'confirmed'), [zone, status]);
  const form = useJudgedForm(schema, startingTime(appointment, me));

  async function save(typed: { date: string; time: string; minutes: string }): Promise<void> {
    const stretch = readTyped(zone, typed);
    if (stretch === null) return;
    await withSeen((seen) => setTime(seen, stretch));
    if (!isOffer) tellSuccess('Moved.', whoTells(client));
    else
      tellSuccess('Offer made.', offerText(client), {
        label: 'Copy their link',
        run: () => void copyText(clientsPage(me, id)),
      });
  }

  return (
    <FormDialog
      title={isOffer ? `Offer ${shortName(client)} a time` : 'Move to another time'}
      form={form}
      name={`time-${id}`}
      save={isOffer ? 'Make the offer' : 'Move it'}
      wide
      onSave={save}
      onClose={onClose}
    >
      <TimeFields me={me} ignoring={id} />
    </FormDialog>
  );
}

function offerText(client: Appointment['client']): string {
  return client.email === null
    ? `Send ${shortName(client)} the link, so that they can confirm.`
    : `The link to confirm it is on its way to ${client.email}; whether it arrives shows under Mail.`;
}

const USUAL_MINUTES = 120;

function startingTime({ start, end, service }: Appointment, me: CurrentArtist) {
  if (start !== null && end !== null)
    return typedTime(me.studio.time_zone, {
      start: Date.parse(start),
      end: Date.parse(end) + MINUTE_MS,
    });
  return firstTime(me, Date.now(), service?.duration ?? USUAL_MINUTES);
}
