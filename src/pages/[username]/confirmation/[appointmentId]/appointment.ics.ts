import type { APIRoute } from 'astro';
import { createEvent } from 'ics';
import { call } from '#client/call.ts';
import { fetchConfirmation } from '#contract/endpoints.ts';
import { calendarUid, toCalendarEvent } from '#domain/calendar_event.ts';
import {
  CONFIRMATION_HEADERS,
  confirmationResponse,
  loadAppointment,
} from '../../../_confirmation.ts';

/** The appointment as a calendar file; 404 unless it is confirmed. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { username = '', appointmentId = '' } = params;
  const path = { appt_id: appointmentId };
  const loaded = await loadAppointment(call(locals.api, fetchConfirmation, { path }));
  if (loaded.kind === 'unreachable') return new Response(null, confirmationResponse(loaded.kind));
  const confirmation = loaded.kind === 'found' ? loaded.value : null;
  // Under the username of another artist, the file does not exist.
  const found = confirmation?.user.username === username.toLowerCase() ? confirmation : null;
  if (!found?.confirmed || found.start === null || found.end === null) {
    return new Response(null, { status: 404, headers: CONFIRMATION_HEADERS });
  }
  const { error, value } = createEvent({
    ...toCalendarEvent(found.start, found.end, found.user.studio),
    startInputType: 'utc',
    endInputType: 'utc',
    startOutputType: 'utc',
    endOutputType: 'utc',
    uid: await calendarUid(found.id),
    status: 'CONFIRMED',
    busyStatus: 'BUSY',
    productId: locals.settings.productName,
  });
  if (error) throw error;
  return new Response(value, {
    headers: {
      ...CONFIRMATION_HEADERS,
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'attachment; filename="tattoo-appointment.ics"',
    },
  });
};
