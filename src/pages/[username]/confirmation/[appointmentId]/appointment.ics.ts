import type { APIRoute } from 'astro';
import { createEvent } from 'ics';
import { call } from '#client/call.ts';
import { fetchConfirmationPage } from '#contract/endpoints.ts';
import {
  calendarUid,
  confirmationUrl,
  foldIcsLines,
  toCalendarEvent,
  toIcsFields,
} from '#domain/appointments/calendar_event.ts';
import { findCurrentUsername } from '../../../_artist.ts';
import {
  CONFIRMATION_HEADERS,
  confirmationResponse,
  loadAppointment,
} from '../../../_confirmation.ts';

/** The appointment as a calendar file; 404 unless it is confirmed. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { username = '', appointmentId = '' } = params;
  const path = { appt_id: appointmentId };
  const query = { calendar_file: 'true' } as const;
  const loaded = await loadAppointment(call(locals.api, fetchConfirmationPage, { path, query }));
  if (loaded.kind !== 'found') return new Response(null, confirmationResponse(loaded.kind));
  const { artist, confirmation, calendar_organizer: organizer } = loaded.value;
  // Under the username of another artist, the file does not exist.
  const isOfArtist =
    artist.username === username.toLowerCase() ||
    artist.username === (await findCurrentUsername(locals.api, username));
  const { id, version, start, end, user, confirmed } = confirmation;
  if (!isOfArtist || !confirmed || start === null || end === null)
    return new Response(null, confirmationResponse('missing'));
  const { siteUrl } = locals.settings;
  const event = toCalendarEvent({ start, end, url: confirmationUrl(siteUrl, id) }, user.studio);
  const { error, value } = createEvent({
    ...toIcsFields(event, {
      // The id that the mailed file has too, so that a calendar has the appointment once.
      uid: await calendarUid(id),
      sequence: version,
      organizer,
    }),
    status: 'CONFIRMED',
    busyStatus: 'BUSY',
  });
  if (value === null) throw error;
  return new Response(foldIcsLines(value), {
    headers: {
      ...CONFIRMATION_HEADERS,
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'attachment; filename="tattoo-appointment.ics"',
    },
  });
};
