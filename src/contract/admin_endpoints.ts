/** The calls of the operator's page. They are apart from the others, as the studio's pages need none. */
import type {
  AdminAction,
  AdminArtist,
  DoctorFinding,
  FailedMail,
  JobQueueState,
  RecoveryLink,
  ServerError,
  ServerErrorQuery,
  ServerState,
} from './admin.ts';
import type { AccountQuery } from './artist.ts';
import type { ListPage } from './common.ts';
import type { NoInput } from './endpoint.ts';
import {
  type BodyOf,
  type ById,
  get,
  list,
  type OptionalQuery,
  type PageInput,
  post,
} from './endpoint_definition.ts';
import type { OwnerProof } from './owner_proof.ts';

export const listAdminArtists = list<OptionalQuery<typeof AccountQuery>, AdminArtist>(
  '/admin/artists',
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
export const listFailedMails = list<PageInput, FailedMail>('/admin/mails');
export const sendFailedMailAgain = post<ById<'mail_id'>, void>('/admin/mails/:mail_id/send-again', {
  field: null,
});
export const listJobQueues = list<NoInput, JobQueueState>('/admin/jobs');
export const listServerErrors = list<OptionalQuery<typeof ServerErrorQuery>, ServerError>(
  '/admin/errors',
);
export const fetchServerState = get<NoInput, ServerState>('/admin/server', { field: 'troubles' });
/** A POST, as the doctor writes and deletes something in each part. */
export const runServerChecks = post<NoInput, ListPage<DoctorFinding>>('/admin/doctor', {
  field: 'data',
});
export const listAdminActions = list<PageInput, AdminAction>('/admin/actions');
