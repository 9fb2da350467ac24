import * as z from 'zod/mini';
import {
  ACTORS,
  APPOINTMENT_EVENTS,
  APPOINTMENT_STATUSES,
  ARTIST_STATUSES,
  CLIENT_ACTIONS,
} from '#domain/appointments/appointment.ts';
import { BODY_LOCATIONS, TATTOO_SIZES } from '#domain/appointments/appointment_choices.ts';
import { DAY_MS } from '#domain/time/time.ts';
import { AppointmentForm, Phone } from './appointment_form.ts';
import { Artist, Studio } from './artist.ts';
import { clientDetails, clientNames } from './client.ts';
import {
  Email,
  Id,
  LAST_MINUTE_DESCRIPTION,
  MinuteInput,
  namedInput,
  namedObject,
  optionalText,
  PageQuery,
  SearchText,
  StudioMinuteInput,
  TimestampInput,
  TimestampOutput,
  trimmedText,
  ZoneOffsets,
} from './common.ts';
import { AskedData } from './data_request.ts';
import { Design } from './design.ts';
import { Payment } from './payment.ts';
import { Money, Price, PriceInput } from './price.ts';
import { Service } from './service.ts';

const EndInput = MinuteInput.check(z.describe(LAST_MINUTE_DESCRIPTION));
const StudioEndInput = StudioMinuteInput.check(z.describe(LAST_MINUTE_DESCRIPTION));
const EndOutput = z.nullable(TimestampOutput).check(z.describe(LAST_MINUTE_DESCRIPTION));

const ArtistNote = z
  .nullable(z.string())
  .check(
    z.describe("The artist's text to the client when offering a time, declining or cancelling"),
  );

const Note = z.optional(trimmedText(2000));

const ActorName = z.enum(ACTORS);

/** The fields of the booking form, with the checks of names that only the API makes. */
const appointmentFields = {
  ...AppointmentForm.shape,
  replaces: z
    .nullish(Id)
    .check(z.describe('One’s own unconfirmed hold, which is released for this request')),
  ...clientNames,
};

/** Books a free time for a service, or for a design with a length of its own. */
export const ServiceRequest = namedInput('ServiceRequest', {
  ...appointmentFields,
  service_id: z
    .nullable(Id)
    .check(z.describe('null for a design with a `duration` and no service')),
  design_id: z.nullish(Id),
  start: MinuteInput,
  end: EndInput,
});
export type ServiceRequest = z.output<typeof ServiceRequest>;

/** Asks for an appointment; the artist sets its time. */
export const DesignRequest = namedInput('DesignRequest', {
  ...appointmentFields,
  service_id: z.nullish(Id),
  design_id: z.nullish(Id),
});
export type DesignRequest = z.output<typeof DesignRequest>;

/** The terms at the time of booking. Later changes of the artist do not change them. */
const bookedTerms = {
  price: z
    .nullable(Price)
    .check(z.describe('At the time of booking, or as the artist set it; null without a price')),
  deposit: z
    .nullable(Money)
    .check(
      z.describe(
        'The deposit that the artist expected when the client booked; null for what the artist entered',
      ),
    ),
  booking_policy: z
    .string()
    .check(
      z.describe(
        "The artist's policy when the client booked; empty without one, and for what the artist entered",
      ),
    ),
};

/** Anyone with the id can read this, so it holds only the data of the confirmation page. */
export const Confirmation = namedObject('Confirmation', {
  id: Id,
  start: z.nullable(TimestampOutput),
  end: EndOutput,
  confirmed: z.boolean(),
  status: z.enum(APPOINTMENT_STATUSES),
  version: z.int().check(z.describe('Grows with every change; see the confirmation')),
  must_prove_email: z
    .boolean()
    .check(z.describe('Whether confirming it takes the `mail_token` of the mailed link')),
  email_proven: z
    .boolean()
    .check(
      z.describe(
        'Whether another email waits for a link: this one was proven or entered by the artist',
      ),
    ),
  email_hint: z
    .nullable(z.string())
    .check(z.describe('The first letter and the domain of the email, such as r•••@example.com')),
  new_email_hint: z
    .nullable(z.string())
    .check(
      z.describe(
        'The email that replaces it once the link is used that was mailed to the present one, as short; null if none waits',
      ),
    ),
  new_email_asked_at: z
    .nullable(TimestampOutput)
    .check(
      z.describe('With microseconds: another one each time that an email is asked for that waits'),
    ),
  lapses_at: z
    .nullable(TimestampOutput)
    .check(
      z.describe('Until when the time is reserved for the client to confirm; null if it is not'),
    ),
  cancel_until: z
    .nullable(TimestampOutput)
    .check(
      z.describe(
        'The last moment at which the client may cancel it once it is booked; null if never',
      ),
    ),
  move_until: z
    .nullable(TimestampOutput)
    .check(
      z.describe('The last moment at which the client may move what is booked; null if never'),
    ),
  times: z
    .array(z.object({ id: Id, start: TimestampOutput, end: TimestampOutput }))
    .check(z.describe('The times that the client can confirm: of a hold or an open offer')),
  location: z.nullable(z.enum(BODY_LOCATIONS)),
  size: z.nullable(z.enum(TATTOO_SIZES)),
  customer_notes: z.nullable(z.string()),
  history: z
    .array(
      z.object({
        at: TimestampOutput,
        by: ActorName,
        what: z.enum(APPOINTMENT_EVENTS),
        start: z.nullable(TimestampOutput).check(z.describe('The start of the time after it')),
      }),
    )
    .check(z.describe('What happened, the oldest first, without what concerns only the artist')),
  can: z.array(z.enum(CLIENT_ACTIONS)).check(z.describe('What is open to the client now')),
  differs_from_request: z
    .optional(z.literal(true))
    .check(
      z.describe(
        'Only in the answer to a repeated request whose details differ: those of the first one stay',
      ),
    ),
  data_requests: z
    .array(AskedData)
    .check(
      z.describe(
        'What the client has asked for about their data and cannot ask for again yet: what is open, or was asked for within 30 days',
      ),
    ),
  data_erased_at: z
    .nullable(TimestampOutput)
    .check(z.describe('When the artist erased the personal data of the client')),
  note: ArtistNote,
  ...bookedTerms,
  client: z.object({ first_name: z.nullable(z.string()) }),
  design: z.nullable(Design),
  service: z.nullable(Service),
  user: z.object({ username: z.string(), full_name: z.string(), studio: Studio }),
});
export type Confirmation = z.output<typeof Confirmation>;

/** A `mail_token` as a mailed link has it; a link that was cut when it was copied has a shorter one. */
export const MAIL_TOKEN_PATTERN = /^[\w-]{22}$/;

const Version = z
  .optional(z.int())
  .check(z.describe('What the client has seen; refused if it is not the present one'));

const MailToken = z
  .optional(z.string().check(z.maxLength(100)))
  .check(z.describe('From the mailed link: proves that the email is the client’s'));

export const ConfirmationInput = namedInput('ConfirmationInput', {
  version: Version,
  time_id: z.optional(Id).check(z.describe('One of `times`')),
  mail_token: MailToken,
});
export type ConfirmationInput = z.output<typeof ConfirmationInput>;

export const HoldRelease = namedInput('HoldRelease', {});

export const OfferDecline = namedInput('OfferDecline', { note: Note, version: Version });
export type OfferDecline = z.output<typeof OfferDecline>;

export const ClientCancellation = namedInput('ClientCancellation', {
  note: Note,
  version: Version,
});
export type ClientCancellation = z.output<typeof ClientCancellation>;

export const ClientMove = namedInput('ClientMove', {
  start: MinuteInput,
  end: EndInput,
  version: Version,
  mail_token: MailToken,
});
export type ClientMove = z.output<typeof ClientMove>;

export const ClientEmail = namedInput('ClientEmail', { email: Email, mail_token: MailToken });
export type ClientEmail = z.output<typeof ClientEmail>;

/** The body of the proof that the owner of the present email wants the change. */
export const ClientEmailProof = namedInput('ClientEmailProof', {
  change_token: z
    .string()
    .check(z.maxLength(100), z.describe('From the link that was mailed to the present email')),
});
export type ClientEmailProof = z.output<typeof ClientEmailProof>;

/** One line of an appointment's history, for its artist. */
export const AppointmentEvent = namedObject('AppointmentEvent', {
  at: TimestampOutput,
  by: ActorName,
  what: z.enum(APPOINTMENT_EVENTS),
  from_status: z.nullable(z.enum(APPOINTMENT_STATUSES)),
  to_status: z.enum(APPOINTMENT_STATUSES),
  from_start: z.nullable(TimestampOutput),
  to_start: z.nullable(TimestampOutput),
  note: z.nullable(z.string()),
});
export type AppointmentEvent = z.output<typeof AppointmentEvent>;

export const ConfirmationPageQuery = z.object({
  change_token: z
    .optional(z.string().check(z.maxLength(100)))
    .check(z.describe('From the link that was mailed to the present email, for `new_email`')),
  calendar_file: z
    .optional(z.literal('true'))
    .check(z.describe('For a calendar file: all later files name the same organizer')),
});
export type ConfirmationPageQuery = z.output<typeof ConfirmationPageQuery>;

/** All that the page of an appointment shows to its client, so that it loads with one call. */
export const ConfirmationPage = namedObject('ConfirmationPage', {
  artist: Artist,
  confirmation: Confirmation,
  new_email: z
    .nullable(z.string())
    .check(
      z.describe('The email to which the `change_token` leads, whole; null if it is not valid'),
    ),
  calendar_organizer: z
    .nullable(z.object({ name: z.string(), email: z.string() }))
    .check(
      z.describe('The organizer in calendar files; null while the artist’s email is not proven'),
    ),
});
export type ConfirmationPage = z.output<typeof ConfirmationPage>;

/** An appointment or a request, as its artist sees it. */
export const Appointment = namedObject('Appointment', {
  id: Id,
  start: z.nullable(TimestampOutput),
  end: EndOutput,
  blocked_until: z
    .nullable(TimestampOutput)
    .check(z.describe('The last minute that it blocks, its buffer included')),
  status: z.enum(APPOINTMENT_STATUSES),
  confirmed: z.boolean(),
  version: z.int().check(z.describe('Grows with every change; see PATCH')),
  lapses_at: z
    .nullable(TimestampOutput)
    .check(
      z.describe('Until when its time is reserved for the client to confirm; null if it is not'),
    ),
  email_proven: z
    .boolean()
    .check(z.describe('Whether the client has used the mailed link, or the artist entered it')),
  client: z.object(clientDetails),
  service: z.nullable(Service),
  design: z.nullable(Design),
  location: z.nullable(z.enum(BODY_LOCATIONS)),
  size: z.nullable(z.enum(TATTOO_SIZES)),
  customer_notes: z.nullable(z.string()),
  note: ArtistNote,
  ended_offer: z
    .nullable(
      z.object({
        what: z.enum(['offer_declined', 'offer_lapsed']),
        start: z.nullable(TimestampOutput),
        note: z.nullable(z.string()).check(z.describe('What the client wrote')),
      }),
    )
    .check(z.describe('The last offer for a request that is open again; null in all other cases')),
  ...bookedTerms,
  private_notes: z
    .string()
    .check(z.describe('Only the artist reads them; the sessions of a project share them')),
  private_version: z
    .int()
    .check(z.describe('Counts the changes of the private notes; `version` does not')),
  project_id: z
    .nullable(Id)
    .check(z.describe('The same for all sessions of one tattoo; null with one session only')),
  keeps_edition: z
    .boolean()
    .check(z.describe('Whether it is cancelled and still uses up its edition of the design')),
  payments: z.array(Payment).check(z.describe('What the artist has received, the oldest first')),
  created_at: TimestampOutput,
  offsets: ZoneOffsets,
});
export type Appointment = z.output<typeof Appointment>;

export const AppointmentQuery = z.object({
  ...PageQuery.shape,
  status: z.optional(z.enum(APPOINTMENT_STATUSES)),
  search: SearchText.check(
    z.describe("Part of the client's name or email, or of their phone number in any spelling"),
  ),
  in_alarm: z
    .optional(z.literal('true'))
    .check(z.describe('Only those that the warning of unusually many bookings is about')),
  when: z
    .optional(z.enum(['upcoming', 'past']))
    .check(z.describe('`past`: only those that have ended; `upcoming`: all others with a time')),
  order: z
    ._default(z.enum(['newest', 'soonest', 'latest']), 'newest')
    .check(
      z.describe(
        '`newest` by creation; `soonest` or `latest` by start, those without a time come last',
      ),
    ),
});
export type AppointmentQuery = z.output<typeof AppointmentQuery>;

/** Appointments that overlap the time from `start` to `end`, the last minute, included. */
export const AppointmentRangeQuery = z.object({ start: TimestampInput, end: TimestampInput }).check(
  z.refine(({ start, end }) => Date.parse(start) <= Date.parse(end), {
    path: ['end'],
    error: 'Must not be before the start',
  }),
);
export type AppointmentRangeQuery = z.output<typeof AppointmentRangeQuery>;

const NewClient = z
  .strictObject({
    ...clientNames,
    email: z.nullish(Email),
    phone_number: Phone,
  })
  .check(
    z.refine(({ first_name, last_name, email }) => Boolean(first_name || last_name || email), {
      path: ['first_name'],
      error: 'A name or an email is required',
    }),
  );

const MAX_LENGTH_MS = 31 * DAY_MS;

export const END_ERROR = 'The end must not be before the start';

/** Whether an appointment may take this time; both are instants, `end` is the last minute, included. */
export function isValidLength(start: number, end: number): boolean {
  return end >= start && end - start < MAX_LENGTH_MS;
}

/** Requires both times or neither, and a valid length of instants. The server checks local times: it knows the zone. */
const validTimeRange = z.refine<{
  start?: StudioMinuteInput | undefined;
  end?: StudioMinuteInput | undefined;
}>(
  ({ start, end }) => {
    if (start === undefined || end === undefined) return start === end;
    const areInstants = typeof start === 'string' && typeof end === 'string';
    return !areInstants || isValidLength(Date.parse(start), Date.parse(end));
  },
  { path: ['end'], error: END_ERROR },
);

/** Notes that only the artist reads. With a version, the API refuses to overwrite newer notes. */
const privateTexts = {
  private_notes: z.optional(trimmedText(5000)),
  private_version: z
    .optional(z.int())
    .check(z.describe('That of the private notes that the artist has seen')),
};

const IgnoreBuffer = z
  .optional(z.boolean())
  .check(
    z.describe(
      'Whether the time may overlap a buffer, its own or that of the appointment before, which is shortened then; without it that is a 409',
    ),
  );

/** An appointment that the artist enters, also outside opening hours and at short notice, but without overlaps. */
export const NewAppointment = z
  .strictObject({
    client: z.optional(NewClient),
    client_id: z.optional(Id),
    service_id: z.nullish(Id),
    design_id: z.nullish(Id),
    start: StudioMinuteInput,
    end: StudioEndInput,
    ignore_buffer: IgnoreBuffer,
    customer_notes: optionalText(5000),
    price: z
      .optional(PriceInput)
      .check(z.describe('Unset: that of the design, or else of the service')),
    note: Note.check(z.describe('To the client')),
    ...privateTexts,
    next_session_of: z
      .optional(Id)
      .check(
        z.describe(
          'An appointment of the same client: both become sessions of one project, and share the design and the private notes',
        ),
      ),
  })
  .check(
    validTimeRange,
    z.refine(({ client, client_id }) => (client === undefined) !== (client_id === undefined), {
      path: ['client'],
      error: 'Either client or client_id is required',
    }),
    z.meta({ id: 'NewAppointment' }),
  );
export type NewAppointment = z.output<typeof NewAppointment>;

/** The fields that the artist can edit in any status, with or without a new time. */
const appointmentDetails = {
  service_id: z.optional(z.nullable(Id)),
  design_id: z.optional(z.nullable(Id)),
  price: z.optional(PriceInput),
  ...privateTexts,
};
/** The fields that change a detail: `private_version` only accompanies one. */
const DETAIL_NAMES = ['service_id', 'design_id', 'price', 'private_notes'] as const;

/**
 * New times, details, both, or a new status. With a `version`, the API refuses to overwrite a newer
 * one.
 */
export const AppointmentChanges = z
  .strictObject({
    start: z.optional(StudioMinuteInput),
    end: z.optional(StudioEndInput),
    ignore_buffer: IgnoreBuffer,
    status: z.optional(z.enum(ARTIST_STATUSES)),
    note: Note.check(z.describe('To the client, with a time, details, `declined` or `cancelled`')),
    ...appointmentDetails,
    keep_edition: z
      .optional(z.boolean())
      .check(z.describe('With `cancelled`: whether it still uses up its edition of the design')),
    version: z.optional(z.int()),
  })
  .check(
    validTimeRange,
    z.refine(
      (changes) => {
        const { start, status, note } = changes;
        const hasDetail = DETAIL_NAMES.some((name) => changes[name] !== undefined);
        if (status !== undefined) return start === undefined && !hasDetail;
        return start !== undefined || note !== undefined || hasDetail;
      },
      { path: ['status'], error: 'A time, a detail or a status is required' },
    ),
    z.refine(
      ({ note, status }) =>
        !note || status === undefined || status === 'declined' || status === 'cancelled',
      { path: ['note'], error: 'A note goes with a time, a detail, declining or cancelling' },
    ),
    z.refine(({ ignore_buffer, start }) => !ignore_buffer || start !== undefined, {
      path: ['ignore_buffer'],
      error: 'Goes with a time',
    }),
    z.refine(({ keep_edition, status }) => !keep_edition || status === 'cancelled', {
      path: ['keep_edition'],
      error: 'Goes with cancelling',
    }),
    z.meta({ id: 'AppointmentChanges' }),
  );
export type AppointmentChanges = z.output<typeof AppointmentChanges>;
