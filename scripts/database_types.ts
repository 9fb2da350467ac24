// Writes the types of the tables from a migrated database: `npm run db:types`.
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBundledPostgres } from '#server/database/bundled/bundled_postgres.ts';
import { migrate } from '#server/database/migrate.ts';
import { createLog } from '#server/log/log.ts';

const overrides = {
  columns: {
    'appointment_events.actor': 'Actor',
    'appointment_events.from_status': 'AppointmentStatus | null',
    'appointment_events.to_status': 'AppointmentStatus',
    'appointment_events.what': 'AppointmentEventKind',
    'appointments.status': 'AppointmentStatus',
    'appointments.location': 'BodyLocation | null',
    'appointments.size': 'TattooSize | null',
    'appointments.preferred_contact': 'PreferredContact | null',
    'artists.public_email_kind': 'Generated<PublicEmailKind>',
    'artists.books': 'Books | null',
    'artists.scheduling_type': 'SchedulingType | null',
    'client_merges.client_after': 'ColumnType<MergedFields, string, string>',
    'client_merges.client_before': 'ColumnType<MergedFields, string, string>',
    'clients.preferred_contact': 'PreferredContact | null',
    'data_requests.kind': 'DataRequestKind',
    'designs.status': 'DesignStatus',
    'designs.color': 'DesignColor | null',
    'designs.placements': 'Generated<BodyLocation[]>',
    'designs.price': 'Price | null',
    'services.price': 'Price | null',
    'appointments.price': 'Price | null',
    'appointments.deposit': 'Money | null',
    'artists.deposit': 'Money | null',
    'payments_received.method': 'PaymentMethod',
    'payments_received.received_on': 'string',
    'erasures.kind': 'ErasureKind',
    'exports.state': 'Generated<ExportState>',
    'images.formats': 'ImageFormat[]',
    'images.kind': 'ImageKind',
    'schedules.booking_range': 'ColumnType<BookingRange, string, string>',
    'schedules.weekly': 'ColumnType<WeekdayHours[], string, string>',
    'mails.notice': 'ColumnType<MailData, string, string>',
    'mails.status': 'Generated<MailStatus>',
    'mails.waits_for': 'MailBudget | null',
    'artists.reminder_hours': 'Generated<ReminderChoice[]>',
    'artists.styles': 'Generated<Style[]>',
    'payment_events.event': 'ColumnType<PaymentEventData, string, string>',
    'studio_changes.moved_times': 'ColumnType<MovedTime[], string, string>',
    'studio_changes.studio_before': 'ColumnType<StudioBefore, string, string>',
    'studio_changes.studio_known': 'ColumnType<StudioBefore, string, string>',
    'admin_actions.kind': 'AdminActionKind',
    'security_events.kind': 'SecurityEventKind',
    'subscriptions.status': 'SubscriptionStatus',
    'schedule_exceptions.windows': 'ColumnType<OpeningWindow[], string, string>',
  },
};
const imports = {
  Actor: '#domain/appointments/appointment.ts',
  AppointmentEventKind: '#domain/appointments/appointment.ts',
  AppointmentStatus: '#domain/appointments/appointment.ts',
  Books: '#domain/booking/books.ts',
  BookingRange: '#domain/booking/booking_range.ts',
  WeekdayHours: '#domain/booking/schedule.ts',
  OpeningWindow: '#domain/booking/schedule.ts',
  BodyLocation: '#domain/appointments/appointment_choices.ts',
  TattooSize: '#domain/appointments/appointment_choices.ts',
  MergedFields: '#domain/clients/client_merge.ts',
  PreferredContact: '#domain/appointments/appointment_choices.ts',
  PublicEmailKind: '#domain/studio/artist.ts',
  SchedulingType: '#domain/studio/artist.ts',
  DataRequestKind: '#domain/clients/data_request.ts',
  DesignStatus: '#domain/studio/artwork.ts',
  DesignColor: '#domain/studio/design.ts',
  Price: '#domain/money/price.ts',
  Money: '#domain/money/money.ts',
  PaymentMethod: '#domain/money/payment.ts',
  ErasureKind: '#domain/clients/erasure.ts',
  ExportState: '#domain/clients/export.ts',
  ImageFormat: '#domain/studio/artwork.ts',
  ImageKind: '#domain/studio/artwork.ts',
  MailBudget: '#domain/mail/mail.ts',
  MailStatus: '#domain/mail/mail.ts',
  ReminderChoice: '#domain/mail/mail.ts',
  MailData: '#domain/mail/mail.ts',
  MovedTime: '#domain/studio/studio_change.ts',
  StudioBefore: '#domain/studio/studio_change.ts',
  SecurityEventKind: '#domain/accounts/security.ts',
  AdminActionKind: '#domain/accounts/admin_action.ts',
  PaymentEventData: '#domain/accounts/subscription.ts',
  Style: '#domain/studio/style.ts',
  SubscriptionStatus: '#domain/accounts/subscription.ts',
};

const dataDir = await mkdtemp(join(tmpdir(), 'linework-types-'));
// So that the database's own user can enter it when this runs as root.
await chmod(dataDir, 0o755);
const postgres = await startBundledPostgres({
  dataDir,
  log: createLog({ format: 'text', level: 'error' }),
});
try {
  await migrate(postgres.url);
  execFileSync(
    'kysely-codegen',
    [
      ['--dialect', 'postgres'],
      ['--url', postgres.url],
      ['--date-parser', 'string'],
      ['--exclude-pattern', '{migrations,listable_artists,listable_styles}'],
      ['--overrides', JSON.stringify(overrides)],
      ['--custom-imports', JSON.stringify(imports)],
      ['--out-file', 'src/server/database/tables.ts'],
    ].flat(),
    { stdio: 'inherit' },
  );
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
