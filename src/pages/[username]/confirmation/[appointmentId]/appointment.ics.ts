import type { APIRoute } from 'astro';
import { createEvent } from 'ics';
import { calendarUid, toCalendarEvent } from '#domain/calendar_event.ts';
import { CONFIRMATION_HEADERS, findArtistConfirmation } from '../../../_confirmation.ts';

/** The appointment as a calendar file; 404 unless it is confirmed. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { username = '', appointmentId = '' } = params;
  const confirmation = await findArtistConfirmation(locals.api, username, appointmentId);
  if (!confirmation?.confirmed || confirmation.start === null || confirmation.end === null) {
    return new Response(null, { status: 404, headers: CONFIRMATION_HEADERS });
  }
  const { error, value } = createEvent({
    ...toCalendarEvent(confirmation.start, confirmation.end, confirmation.user.studio),
    startInputType: 'utc',
    endInputType: 'utc',
    startOutputType: 'utc',
    endOutputType: 'utc',
    uid: await calendarUid(confirmation.id),
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
