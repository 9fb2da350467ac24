import type {
  AdminAction,
  AdminArtist,
  FailedMail,
  JobQueueState,
  ServerError,
  ServerState,
} from '#contract/admin.ts';

/** What the API answers on the operator's page. */
export const BO: AdminArtist = {
  ...{ id: 'bo-id', username: 'bo', full_name: 'Bo Lind', email: 'bo@example.com' },
  ...{ email_proven: true, is_active: true, is_superuser: false, inactive_since: null },
  ...{ last_login_at: '2026-11-30T12:00:00Z', created_at: '2026-01-01T12:00:00Z' },
};

export const FAILED_MAIL: FailedMail = {
  ...{ id: 'mail-id', kind: 'booked', recipient: 'client', address: 'r•••@example.com' },
  ...{ status: 'failed', failure: '550 No such mailbox', can_send_again: true },
  artist: { id: BO.id, username: BO.username },
  ...{ created_at: '2026-11-30T12:00:00Z', settled_at: '2026-11-30T12:05:00Z' },
};

export const MAIL_QUEUE: JobQueueState = {
  ...{ queue: 'mail', waiting: 3, retrying: 1, running: 0, failed: 0 },
  oldest_at: '2026-12-01T11:00:00Z',
  last_error: null,
};

export const SERVER_ERROR: ServerError = {
  ...{ id: '1', happened_at: '2026-12-01T11:00:00Z', request_id: 'abc-1' },
  ...{ route: 'GET /[username]', status: 500, name: 'TypeError', code: null },
  ...{ message: 'No such field', stack: 'at one\nat two' },
};

export const SERVER_STATE: ServerState = {
  versions: {
    ...{ program: '0.1.0', node: 'v24.1.0', postgres: '18.1' },
    migration: '0001_schema.sql',
  },
  sends_mail: true,
  disk: { free_bytes: 20_000_000_000, total_bytes: 80_000_000_000 },
  backup: null,
  troubles: {
    ...{ failed_mails: 0, new_failed_mails: 0, retried_mails: 0 },
    ...{ failed_jobs: 0, errors: 0, new_errors: 0 },
  },
};

export const ACTION: AdminAction = {
  ...{ id: '1', happened_at: '2026-12-01T11:00:00Z', superuser: 'boss' },
  ...{ kind: 'account_deactivated', artist: 'bo', detail: null },
};
