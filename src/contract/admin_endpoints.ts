/** The calls of the operator's page. They are apart from the others, as the studio's pages need none. */
import type {
  AdminAction,
  AdminArtist,
  AdminArtistQuery,
  DoctorFinding,
  FailedMail,
  JobQueueState,
  RecoveryLink,
  ServerError,
  ServerErrorQuery,
  ServerState,
} from './admin.ts';
import type { ListPage } from './common.ts';
import type { NoInput } from './endpoint.ts';
import {
  type BodyOf,
  type ById,
  get,
  type OptionalQuery,
  type PageInput,
  post,
} from './endpoint_definition.ts';
import type { OwnerProof } from './owner_proof.ts';

export const listAdminArtists = get<OptionalQuery<typeof AdminArtistQuery>, ListPage<AdminArtist>>(
  '/admin/artists',
  { field: 'data' },
);
export const deactivateArtist = post<ById<'artist_id'> & BodyOf<typeof OwnerProof>, AdminArtist>(
  '/admin/artists/:artist_id/deactivate',
);
export const reactivateArtist = post<ById<'artist_id'>, AdminArtist>(
  '/admin/artists/:artist_id/reactivate',
);
export const createRecoveryLink = post<ById<'artist_id'> & BodyOf<typeof OwnerProof>, RecoveryLink>(
  '/admin/artists/:artist_id/recovery-link',
  { field: 'url' },
);
export const listFailedMails = get<PageInput, ListPage<FailedMail>>('/admin/mails', {
  field: 'data',
});
export const sendFailedMailAgain = post<ById<'mail_id'>, void>('/admin/mails/:mail_id/send-again', {
  field: null,
});
export const listJobQueues = get<NoInput, ListPage<JobQueueState>>('/admin/jobs', {
  field: 'data',
});
export const listServerErrors = get<OptionalQuery<typeof ServerErrorQuery>, ListPage<ServerError>>(
  '/admin/errors',
  { field: 'data' },
);
export const fetchServerState = get<NoInput, ServerState>('/admin/server', { field: 'troubles' });
/** A POST, as the doctor writes and deletes something in each part. */
export const runServerChecks = post<NoInput, ListPage<DoctorFinding>>('/admin/doctor', {
  field: 'data',
});
export const listAdminActions = get<PageInput, ListPage<AdminAction>>('/admin/actions', {
  field: 'data',
});
