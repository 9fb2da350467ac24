import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ClientRecord } from '#contract/client.ts';
import type { ListPage } from '#contract/common.ts';
import type { UploadedImage } from '#contract/image.ts';
import { DEFAULT_SCHEDULE } from '#domain/booking/schedule.ts';
import { parseWallTime, toRfc3339 } from '#domain/time/time.ts';
import { resolveWallTime } from '#domain/time/wall_clock.ts';
import { $toasts } from '#stores/toasts.ts';
import { NO_TERMS } from './design_facts.ts';
import { ANA, APPOINTMENT_ID, FLASH, stubApi } from './fake_api.ts';

export const ANA_SELF: CurrentArtist = {
  ...ANA,
  schedule: {
    ...DEFAULT_SCHEDULE,
    weekly: [],
    exceptions: [],
    client_cancel_notice_hours: 48,
    client_move_notice_hours: null,
  },
  booking_range: { kind: 'open' },
  books: { ...ANA.books, state: null },
  is_active: true,
  is_superuser: false,
  reminder_hours: [72, 24],
  confirm_by_mail: false,
  is_listed: true,
  email: 'ana@example.com',
  public_email: { kind: 'account' },
  email_proven: true,
  pending_email: null,
  country: 'US',
  currency: 'USD',
  booking_policy: '',
  deposit: null,
  subscription: null,
  created_at: '2026-11-01T12:00:00Z',
};

/** An API that stores only an artist's schedule. */
export function fakeScheduleApi() {
  let self = ANA_SELF;
  let beforeChange: () => Promise<void> = async () => {};

  stubApi(async ({ method, body }) => {
    if (method === 'PATCH') {
      await beforeChange();
      self = { ...self, schedule: { ...self.schedule, ...body } };
      self.schedule.exceptions.sort((a, b) => (a.date < b.date ? -1 : 1));
    }
    return self;
  });

  return {
    self: () => self,
    /** Runs the callback during each change, before the change is stored. */
    duringChange(callback: () => Promise<void> | void) {
      beforeChange = async () => callback();
    },
  };
}

/** A body with times by the clock of New York, as the API resolves it. */
export function withResolvedTimes<Body extends Readonly<Record<string, unknown>>>(body: Body) {
  const resolve = (name: string) => {
    const sent = body[name];
    if (typeof sent !== 'object' || sent === null || !('local' in sent)) return {};
    const [date = '', time = ''] = String(sent.local).split('T');
    const { instant } = resolveWallTime('America/New_York', date, parseWallTime(time));
    return { [name]: toRfc3339(instant) };
  };
  return { ...body, ...resolve('start'), ...resolve('end') };
}

/** Rosa's confirmed appointment on 3 December 2026 at 10:00 in New York, as Ana sees it. */
export function createAppointment(parts: Partial<Appointment>): Appointment {
  return {
    id: APPOINTMENT_ID,
    start: '2026-12-03T15:00:00Z',
    end: '2026-12-03T15:59:00Z',
    blocked_until: '2026-12-03T16:14:00Z',
    lapses_at: null,
    status: 'confirmed',
    confirmed: true,
    version: 3,
    email_proven: true,
    client: {
      id: '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0e01',
      first_name: 'Rosa',
      last_name: 'Quint',
      pronouns: null,
      email: 'rosa@example.com',
      phone_number: null,
      preferred_contact: null,
    },
    service: FLASH,
    design: null,
    location: null,
    size: null,
    customer_notes: null,
    note: null,
    ended_offer: null,
    ...NO_TERMS,
    private_notes: '',
    private_version: 1,
    project_id: null,
    keeps_edition: false,
    payments: [],
    created_at: '2026-11-01T12:00:00Z',
    offsets: ANA.studio.offsets,
    ...parts,
  };
}

/** A client record of who booked `createAppointment`, with one past or later appointment. */
export function createClient(parts: Partial<ClientRecord> = {}): ClientRecord {
  return {
    ...createAppointment({}).client,
    notes: '',
    version: 1,
    email_failed_at: null,
    erased_at: null,
    other_emails: [],
    last_merge: null,
    data_requests: [],
    appointment_count: 1,
    last_appointment: null,
    next_appointment: null,
    created_at: '2026-11-01T12:00:00Z',
    ...parts,
  };
}

/** A complete list response with these items. */
export function toListed<T>(...data: T[]): ListPage<T> {
  return { data, count: data.length };
}

/** The visible toasts, oldest first. */
export const toastTexts = () => $toasts.get().map(({ title, text }) => `${title} ${text}`);

/** A picture whose title and id are the same. */
export function createImage(id: string): UploadedImage {
  const file_url = `/images/${id}.webp`;
  return { id, title: id, file_url, width: 800, height: 600, sources: [], placeholder: null };
}
