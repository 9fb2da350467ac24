// Writes the types of the tables from a migrated database: `npm run db:types`.
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBundledPostgres } from '#server/database/bundled/bundled_postgres.ts';
import { migrate } from '#server/database/migrate.ts';
import { createLog } from '#server/log/log.ts';

/** The columns whose type is narrower than that of PostgreSQL. */
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
/** The types of the columns above, by the files that export them. */
const TYPES_BY_FILE = {
  '#domain/accounts/admin_action.ts': ['AdminActionKind'],
  '#domain/accounts/security.ts': ['SecurityEventKind'],
  '#domain/accounts/subscription.ts': ['PaymentEventData', 'SubscriptionStatus'],
  '#domain/appointments/appointment.ts': ['Actor', 'AppointmentEventKind', 'AppointmentStatus'],
  '#domain/appointments/appointment_choices.ts': ['BodyLocation', 'PreferredContact', 'TattooSize'],
  '#domain/booking/booking_range.ts': ['BookingRange'],
  '#domain/booking/books.ts': ['Books'],
  '#domain/booking/schedule.ts': ['OpeningWindow', 'WeekdayHours'],
  '#domain/clients/client_merge.ts': ['MergedFields'],
  '#domain/clients/data_request.ts': ['DataRequestKind'],
  '#domain/clients/erasure.ts': ['ErasureKind'],
  '#domain/clients/export.ts': ['ExportState'],
  '#domain/mail/mail.ts': ['MailBudget', 'MailData', 'MailStatus', 'ReminderChoice'],
  '#domain/money/money.ts': ['Money'],
  '#domain/money/payment.ts': ['PaymentMethod'],
  '#domain/money/price.ts': ['Price'],
  '#domain/studio/artist.ts': ['PublicEmailKind', 'SchedulingType'],
  '#domain/studio/artwork.ts': ['DesignStatus', 'ImageFormat', 'ImageKind'],
  '#domain/studio/design.ts': ['DesignColor'],
  '#domain/studio/studio_change.ts': ['MovedTime', 'StudioBefore'],
  '#domain/studio/style.ts': ['Style'],
};
const imports = Object.fromEntries(
  Object.entries(TYPES_BY_FILE).flatMap(([file, types]) => types.map((type) => [type, file])),
);

const dataDir = await mkdtemp(join(tmpdir(), 'linework-types-'));
// The bundled database runs as a user of its own when this runs as root: that user must enter the folder.
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
