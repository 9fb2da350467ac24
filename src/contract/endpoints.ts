/**
 * Every call of the API, once for both sides: its method and path, and the types of its data
 * (`Endpoint` explains the options).
 */
import type * as z from 'zod/mini';
import type { BlockedSender, CancelledBatch, CurrentAlarm, NewBlockedSender } from './abuse.ts';
import type { SecurityEvent, SecurityEventCounts, Session } from './account_security.ts';
import type {
  Appointment,
  AppointmentChanges,
  AppointmentEvent,
  AppointmentQuery,
  AppointmentRangeQuery,
  ConfirmationPage,
  ConfirmationPageQuery,
  NewAppointment,
} from './appointment.ts';
import type {
  AccountQuery,
  Artist,
  ArtistListItem,
  CurrentArtist,
  OtherZone,
  OwnArtistChanges,
  PasswordChange,
  SuperuserArtistChanges,
  SuperuserNewArtist,
  ZoneQuery,
} from './artist.ts';
import type {
  DesignPage,
  DesignsPage,
  DesignsPageQuery,
  PortfolioPage,
  SchedulingPage,
  SchedulingPageQuery,
  ServicesPage,
} from './artist_pages.ts';
import type { Availability, MonthQuery } from './availability.ts';
import type { PaymentPage, WebhookReceipt } from './billing.ts';
import type {
  ClientChanges,
  ClientMergeInput,
  ClientMergeResult,
  ClientQuery,
  ClientRecord,
} from './client.ts';
import type { ListPage, PageQuery } from './common.ts';
import type { ContactMessage, LinksRequest, ReadMessages, ReceivedMessage } from './contact.ts';
import type { OpenDataRequest } from './data_request.ts';
import type { Design, DesignChanges, NewDesign } from './design.ts';
import type { Download, NoInput } from './endpoint.ts';
import {
  type BodyOf,
  type ById,
  type ByUsername,
  del,
  get,
  type Idempotent,
  list,
  type OptionalQuery,
  type PageInput,
  patch,
  post,
  type Query,
  type ShareImage,
  type WithProofOfWork,
} from './endpoint_definition.ts';
import type { ExplorePage, ExploreQuery } from './explore.ts';
import type { ClientExport, Export, ExportQuery } from './export.ts';
import type { ImageChanges, UploadedImage } from './image.ts';
import type { AccessToken } from './login.ts';
import type {
  MailList,
  MailQuery,
  MailStopChange,
  MailStopQuery,
  MailStopState,
  OutgoingMail,
  ResendMail,
} from './mail.ts';
import type { OwnerProof } from './owner_proof.ts';
import type { NewPasskey, Passkey, PasskeyCreationOptions, PasskeyRequest } from './passkey.ts';
import type { NewPayment, PaymentList, PaymentQuery } from './payment.ts';
import type { BookingRange, ScheduleChanges } from './schedule.ts';
import type { NewService, Service, ServiceChanges } from './service.ts';
import type { TimeChange, TimeChangesAnswer } from './time_changes.ts';

export * from './account_endpoints.ts';
export * from './admin_endpoints.ts';
export * from './client_endpoints.ts';
export * from './login_endpoints.ts';

// Appointments

export const listAppointmentEvents = list<ById<'appt_id'>, AppointmentEvent>(
  '/appointments/:appt_id/history',
);
export const fetchBookingAlarm = get<NoInput, CurrentAlarm>('/users/me/booking-alarm', {
  field: 'alarm',
});
export const cancelAlarmedBookings = post<ById<'alarm_id'>, CancelledBatch>(
  '/users/me/booking-alarm/:alarm_id/cancel',
  { field: 'cancelled' },
);
export const dismissBookingAlarm = post<ById<'alarm_id'>, void>(
  '/users/me/booking-alarm/:alarm_id/dismiss',
  { field: null },
);
export const listBlockedSenders = list<NoInput, BlockedSender>('/users/me/blocked');
export const blockSender = post<BodyOf<typeof NewBlockedSender>, BlockedSender>(
  '/users/me/blocked',
);
export const unblockSender = del<ById<'blocked_id'>>('/users/me/blocked/:blocked_id');
export const fetchConfirmationPage = get<
  ById<'appt_id'> & OptionalQuery<typeof ConfirmationPageQuery>,
  ConfirmationPage
>('/appointments/confirmation/:appt_id/page', { field: 'confirmation' });
export const listAppointments = list<OptionalQuery<typeof AppointmentQuery>, Appointment>(
  '/appointments/',
);
export const createAppointment = post<BodyOf<typeof NewAppointment>, Appointment>('/appointments/');
export const listAppointmentsInRange = list<Query<typeof AppointmentRangeQuery>, Appointment>(
  '/appointments/schedule/',
);
export const listClientAppointments = list<ById<'client_id'> & PageInput, Appointment>(
  '/appointments/by_client/:client_id',
);
export const listTimeChanges = list<PageInput, TimeChange>('/appointments/time_changes');
export const answerTimeChanges = post<BodyOf<typeof TimeChangesAnswer>, ListPage<TimeChange>>(
  '/appointments/time_changes',
  { field: 'data' },
);
export const undoTimeChanges = del<NoInput>('/appointments/time_changes');
export const fetchAppointment = get<ById<'appt_id'>, Appointment>('/appointments/:appt_id');
export const changeAppointment = patch<
  ById<'appt_id'> & BodyOf<typeof AppointmentChanges>,
  Appointment
>('/appointments/:appt_id');
/** Requests, holds and offers for the same limited design or the same time. */
export const listRivals = list<ById<'appt_id'>, Appointment>('/appointments/:appt_id/rivals');
export const addPayment = post<
  ById<'appt_id'> & Idempotent & BodyOf<typeof NewPayment>,
  Appointment
>('/appointments/:appt_id/payments');
export const deletePayment = del<ById<'appt_id' | 'payment_id'>>(
  '/appointments/:appt_id/payments/:payment_id',
);
export const listPayments = get<Query<typeof PaymentQuery>, PaymentList>('/payments/', {
  field: 'data',
});
export const deleteAppointment = del<ById<'appt_id'>>('/appointments/:appt_id');

// Designs

export const listOwnDesigns = list<PageInput, Design>('/designs/');
export const createDesign = post<{ body: z.input<typeof NewDesign> & { file: Blob } }, Design>(
  '/designs/',
  { bodyKind: 'multipart' },
);
export const listAvailableDesigns = list<ByUsername & PageInput, Design>(
  '/designs/:username/available',
);
export const fetchDesign = get<ById<'design_id'>, Design>('/designs/:design_id');
export const fetchDesignShareImage = get<ById<'design_id'> & ShareImage, Uint8Array>(
  '/designs/:design_id/share-image',
  { responseKind: 'jpeg' },
);
export const changeDesign = patch<ById<'design_id'> & BodyOf<typeof DesignChanges>, Design>(
  '/designs/:design_id',
);
export const deleteDesign = del<ById<'design_id'>>('/designs/:design_id');

// Images

export const listOwnPortfolio = list<PageInput, UploadedImage>('/images/portfolio');
export const uploadPortfolio = post<{ body: { file: readonly Blob[] } }, ListPage<UploadedImage>>(
  '/images/portfolio/upload',
  { bodyKind: 'multipart', field: 'data' },
);
export const listPortfolio = list<
  { query: z.input<typeof PageQuery> & { username: string } },
  UploadedImage
>('/images/artist-portfolio');
export const fetchImage = get<ById<'image_id'>, UploadedImage>('/images/:image_id');
export const changeImage = patch<ById<'image_id'> & BodyOf<typeof ImageChanges>, UploadedImage>(
  '/images/:image_id',
);
export const deleteImage = del<ById<'image_id'>>('/images/:image_id');

// Login, passkeys and passwords

export const testToken = post<NoInput, CurrentArtist>('/login/test-token');
export const listPasskeys = list<NoInput, Passkey>('/users/me/passkeys');
export const startPasskey = post<BodyOf<typeof PasskeyRequest>, PasskeyCreationOptions>(
  '/users/me/passkeys/options',
  { field: 'challenge' },
);
export const addPasskey = post<BodyOf<typeof NewPasskey>, Passkey>('/users/me/passkeys');
export const removePasskey = del<ById<'passkey_id'>>('/users/me/passkeys/:passkey_id');
export const renderRecoveryMail = post<ById<'email'> & BodyOf<typeof OwnerProof>, string>(
  '/password-recovery-html-content/:email',
  { responseKind: 'html' },
);

// Services

export const listOwnServices = list<PageInput, Service>('/services/');
export const createService = post<BodyOf<typeof NewService>, Service>('/services/');
export const fetchAvailableService = get<ById<'username' | 'service_id'>, Service>(
  '/services/:username/available/:service_id',
);
export const fetchService = get<ById<'service_id'>, Service>('/services/:service_id');
export const changeService = patch<ById<'service_id'> & BodyOf<typeof ServiceChanges>, Service>(
  '/services/:service_id',
);
export const deleteService = del<ById<'service_id'>>('/services/:service_id');

// The artist who is logged in

export const fetchMe = get<NoInput, CurrentArtist>('/users/me');
export const changeMe = patch<BodyOf<typeof OwnArtistChanges>, CurrentArtist>('/users/me');
export const fetchOtherZone = get<Query<typeof ZoneQuery>, OtherZone>(
  '/users/me/studio-change/zone',
  { field: 'offsets' },
);
export const undoStudioChange = post<NoInput, CurrentArtist>('/users/me/studio-change/undo');
export const deleteMe = del<BodyOf<typeof OwnerProof>>('/users/me');
export const listSessions = list<NoInput, Session>('/users/me/sessions');
export const endOtherSessions = post<BodyOf<typeof OwnerProof>, AccessToken>(
  '/users/me/sessions/end-others',
  { field: 'access_token' },
);
/** The body is needed for any session but that of the call. */
export const endSession = del<ById<'session_id'> & Partial<BodyOf<typeof OwnerProof>>>(
  '/users/me/sessions/:session_id',
);
export const listSecurityEvents = list<PageInput, SecurityEvent>('/users/me/security-events');
export const requestEmailProof = post<NoInput, void>('/users/me/prove-email', { field: null });
export const changeAvatar = patch<{ body: { file: Blob } }, CurrentArtist>('/users/me/avatar', {
  bodyKind: 'multipart',
});
export const changePassword = patch<BodyOf<typeof PasswordChange>, AccessToken>(
  '/users/me/password',
  { field: 'access_token' },
);
export const changeSchedule = patch<BodyOf<typeof ScheduleChanges>, CurrentArtist>(
  '/users/me/schedule',
);
export const changeBookingRange = patch<BodyOf<typeof BookingRange>, CurrentArtist>(
  '/users/me/booking_range',
);
export const startExport = post<NoInput, Export>('/users/me/exports');
export const listExports = list<NoInput, Export>('/users/me/exports');
export const deleteExport = del<ById<'export_id'>>('/users/me/exports/:export_id');
/** A browser opens it as a link, so its token is in the query. */
export const downloadExport = get<ById<'export_id'> & Query<typeof ExportQuery>, Download>(
  '/users/exports/:export_id/download',
  { responseKind: 'zip' },
);
export const fetchOwnAvailability = get<Query<typeof MonthQuery>, Availability>(
  '/users/availability',
  { field: 'data' },
);
export const listMessages = list<PageInput, ReceivedMessage>('/users/me/messages');
export const markMessagesRead = post<BodyOf<typeof ReadMessages>, void>('/users/me/messages/read', {
  field: null,
});
export const deleteMessage = del<ById<'message_id'>>('/users/me/messages/:message_id');
export const listMails = get<OptionalQuery<typeof MailQuery>, MailList>('/mails/', {
  field: 'data',
});
export const resendMail = post<ById<'mail_id'> & BodyOf<typeof ResendMail>, OutgoingMail>(
  '/mails/:mail_id/send-again',
);

// Stopping mail, without a login

/** Mail programs send a form, which says no more than the query. */
export const stopArtistMail = post<Query<typeof MailStopQuery> & { body: string }, void>(
  '/mail/stop',
  { bodyKind: 'raw', field: null },
);
export const fetchMailStop = get<Query<typeof MailStopQuery>, MailStopState>('/mail/stop', {
  field: 'stopped',
});
export const changeMailStop = patch<BodyOf<typeof MailStopChange>, MailStopState>('/mail/stop', {
  field: 'stopped',
});

// The artist's subscription

export const startCheckout = post<NoInput, PaymentPage>('/users/create-checkout-session', {
  field: 'url',
});
export const startBillingPortal = post<NoInput, PaymentPage>('/users/create-billing-portal', {
  field: 'url',
});

// The artist's clients

export const listClients = list<OptionalQuery<typeof ClientQuery>, ClientRecord>('/clients/');
export const listDataRequests = list<PageInput, OpenDataRequest>('/clients/data-requests');
export const markDataRequestDone = post<ById<'client_id' | 'request_id'>, void>(
  '/clients/:client_id/data-requests/:request_id/done',
  { field: null },
);
export const fetchClient = get<ById<'client_id'>, ClientRecord>('/clients/:client_id');
export const changeClient = patch<ById<'client_id'> & BodyOf<typeof ClientChanges>, ClientRecord>(
  '/clients/:client_id',
);
export const exportClient = get<ById<'client_id'>, ClientExport>('/clients/:client_id/export', {
  field: 'client',
});
export const mergeClients = post<
  ById<'client_id'> & BodyOf<typeof ClientMergeInput>,
  ClientMergeResult
>('/clients/:client_id/merge', { field: 'client' });
export const undoClientMerge = post<ById<'merge_id'>, ClientRecord>(
  '/clients/merges/:merge_id/undo',
);
export const eraseClient = post<ById<'client_id'>, void>('/clients/:client_id/erase', {
  field: null,
});

// Artists, as visitors see them

export const fetchArtist = get<ByUsername, Artist>('/users/artist/:username');
export const fetchArtistShareImage = get<ByUsername & ShareImage, Uint8Array>(
  '/users/artist/:username/share-image',
  { responseKind: 'jpeg' },
);
export const fetchMailPicture = get<ByUsername & ShareImage, Uint8Array>(
  '/users/artist/:username/mail-picture',
  { responseKind: 'jpeg' },
);
export const fetchDesignsPage = get<
  ByUsername & OptionalQuery<typeof DesignsPageQuery>,
  DesignsPage
>('/users/artist/:username/pages/designs', { field: 'artist' });
export const fetchDesignPage = get<ById<'username' | 'design_id'>, DesignPage>(
  '/users/artist/:username/pages/designs/:design_id',
  { field: 'design' },
);
export const fetchServicesPage = get<ByUsername, ServicesPage>(
  '/users/artist/:username/pages/services',
  { field: 'artist' },
);
export const fetchPortfolioPage = get<ByUsername, PortfolioPage>(
  '/users/artist/:username/pages/portfolio',
  { field: 'artist' },
);
export const fetchSchedulingPage = get<
  ByUsername & OptionalQuery<typeof SchedulingPageQuery>,
  SchedulingPage
>('/users/artist/:username/pages/scheduling', { field: 'artist' });
export const sendContactMessage = post<
  ByUsername & WithProofOfWork & BodyOf<typeof ContactMessage>,
  ReceivedMessage
>('/users/artist/:username/contact');
export const requestLinks = post<ByUsername & BodyOf<typeof LinksRequest>, void>(
  '/users/artist/:username/links',
  { field: null },
);
export const listPublicArtists = list<PageInput, ArtistListItem>('/users/artists');
export const fetchExplorePage = get<OptionalQuery<typeof ExploreQuery>, ExplorePage>(
  '/users/artists/explore',
  { field: 'open_artists' },
);
export const fetchArtistAvailability = get<
  ById<'user_id'> & Query<typeof MonthQuery>,
  Availability
>('/users/:user_id/availability', { field: 'data' });

// The payment provider

export const receiveWebhook = post<
  { header?: { readonly 'stripe-signature'?: string | undefined }; body: string },
  z.output<typeof WebhookReceipt>
>('/users/webhook', { bodyKind: 'raw', field: 'received' });

// Accounts, for superusers

export const listAccounts = list<OptionalQuery<typeof AccountQuery>, CurrentArtist>('/users/');
export const countSecurityEvents = get<NoInput, SecurityEventCounts>('/users/security-counts', {
  field: 'data',
});
export const createAccount = post<BodyOf<typeof SuperuserNewArtist>, CurrentArtist>('/users/');
export const fetchAccount = get<ById<'user_id'>, CurrentArtist>('/users/:user_id');
export const changeAccount = patch<
  ById<'user_id'> & BodyOf<typeof SuperuserArtistChanges>,
  CurrentArtist
>('/users/:user_id');
export const deleteAccount = del<ById<'user_id'> & BodyOf<typeof OwnerProof>>('/users/:user_id');
