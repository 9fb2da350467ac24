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
} from '#domain/calendar_event.ts';
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
  if (loaded.kind === 'unreachable') return new Response(null, confirmationResponse(loaded.kind));
  const page = loaded.kind === 'found' ? loaded.value : null;
  // Under the username of another artist, the file does not exist.
  const isOfArtist =
    page !== null &&
    (page.artist.username === username.toLowerCase() ||
      page.artist.username === (await findCurrentUsername(locals.api, username)));
  const found = isOfArtist ? page : null;
  if (!found?.confirmation.confirmed)
    return new Response(null, { status: 404, headers: CONFIRMATION_HEADERS });
  const { id, version, start, end, user } = found.confirmation;
  if (start === null || end === null)
    return new Response(null, { status: 404, headers: CONFIRMATION_HEADERS });
  const { siteUrl } = locals.settings;
  const event = toCalendarEvent({ start, end, url: confirmationUrl(siteUrl, id) }, user.studio);
  const { error, value } = createEvent({
    ...toIcsFields(event, {
      // The same as in the mailed file, so that a calendar has the appointment once.
      uid: await calendarUid(id),
      sequence: version,
      organizer: found.calendar_organizer,
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
