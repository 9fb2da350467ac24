/** Copies of data: all of an artist's, or those of one client. */
import * as z from 'zod/mini';
import { EXPORT_STATES } from '#domain/clients/export.ts';
import { Appointment, AppointmentEvent } from './appointment.ts';
import { ClientRecord } from './client.ts';
import { Id, namedObject, requiredSecret, TimestampOutput } from './common.ts';
import { ReceivedMessage } from './contact.ts';
import { OutgoingMail } from './mail.ts';

export const Export = namedObject('Export', {
  id: Id,
  state: z.enum(EXPORT_STATES),
  done: z.int().check(z.describe('How many rows and pictures are in the file')),
  total: z.int().check(z.describe('Of how many; 0 until they are counted')),
  created_at: TimestampOutput,
  expires_at: z
    .nullable(TimestampOutput)
    .check(z.describe('Until when it can be downloaded; null until it is ready')),
  size: z.nullable(z.int()).check(z.describe('In bytes; null until it is ready')),
  url: z
    .nullable(z.string())
    .check(z.describe('Downloads it without a login; null until it is ready')),
});
export type Export = z.output<typeof Export>;

/** The token of a link that downloads an export. */
export const ExportQuery = z.object({ token: requiredSecret('Token is required') });

export const ExportedEvent = namedObject('ExportedEvent', {
  appointment_id: Id,
  ...AppointmentEvent.shape,
});
export type ExportedEvent = z.output<typeof ExportedEvent>;

export const ClientExport = namedObject('ClientExport', {
  client: ClientRecord,
  appointments: z.array(Appointment),
  history: z.array(ExportedEvent).check(z.describe('What happened to the appointments')),
  messages: z.array(ReceivedMessage).check(z.describe("With the client's email")),
  mails: z
    .array(OutgoingMail)
    .check(z.describe("To the client's email, or about their appointments")),
});
export type ClientExport = z.output<typeof ClientExport>;
