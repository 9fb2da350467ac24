import * as z from 'zod/mini';
import { SecurityEvent, SecurityEventCounts, Session } from '#contract/account_security.ts';
import { Id, listPageOf, PageQuery } from '#contract/common.ts';
import * as endpoints from '#contract/endpoints.ts';
import { AccessToken, EmailChangeUndone, EmailUndo } from '#contract/login.ts';
import { OwnerProof } from '#contract/owner_proof.ts';
import { undoEmailChange } from '#server/operations/accounts/email_change.ts';
import * as sessions from '#server/operations/accounts/sessions.ts';
import { OWNER_PROOF_TEXT, PROOF_EXAMPLE } from './owner_proof.ts';
import { anyone, artists, route, superusers } from './route.ts';

export const accountSecurity = [
  route(endpoints.logOut, artists, {
    summary: 'Log out: end the session of this call',
    description: 'Its access token stops working.',
    input: {},
    handle: ({ context, artist }) => sessions.logOut(context, artist),
  }),
  route(endpoints.listSessions, artists, {
    summary: 'Where the artist is logged in',
    description:
      'The session used last comes first. A session ends when it is not used for 30 days.',
    input: {},
    response: listPageOf(Session),
    handle: ({ context, artist, now }) => sessions.listSessions(context, artist, now),
  }),
  route(endpoints.endOtherSessions, artists, {
    summary: 'End all other sessions of the artist',
    description: `Revokes all access tokens, deletes the exports, and returns a new token for this session; ${OWNER_PROOF_TEXT}`,
    input: { body: OwnerProof },
    example: PROOF_EXAMPLE,
    response: AccessToken,
    ownerProof: ({ body }) => body,
    handle: async ({ context, artist }) => ({
      access_token: await sessions.endOtherSessions(context, artist),
      token_type: 'bearer',
    }),
  }),
  route(endpoints.endSession, artists, {
    summary: 'End a session of the artist',
    description: `Its access token stops working. For another session than that of the call, ${OWNER_PROOF_TEXT}`,
    input: { path: z.object({ session_id: Id }), body: z.optional(OwnerProof) },
    example: PROOF_EXAMPLE,
    ownerProof: ({ artist, path, body = {} }) =>
      path.session_id === artist.sessionId ? null : body,
    handle: ({ context, artist, path }) => sessions.endSession(context, artist, path.session_id),
  }),
  route(endpoints.listSecurityEvents, artists, {
    summary: "Logins and other events of the account's safety",
    description: 'Newest first, kept for a year.',
    input: { query: PageQuery },
    response: listPageOf(SecurityEvent),
    handle: ({ context, artist, query }) => sessions.listSecurityEvents(context, artist.id, query),
  }),
  route(endpoints.undoEmailChange, anyone, {
    summary: 'Undo the change of an email with the token mailed to the old one',
    description:
      'Within seven days. The account has the old email again, all its sessions end, and its password stops working: set a new one with the `reset_token`.',
    input: { body: EmailUndo },
    example: { token: 'from the link of the mail' },
    response: EmailChangeUndone,
    refusals: ['link_not_valid', 'email_taken'],
    rateLimit: 'recovery',
    handle: ({ context, body, userAgent }) =>
      undoEmailChange(context, body.token, { userAgent, timeZone: undefined }),
  }),
  route(endpoints.countSecurityEvents, superusers(), {
    summary: "How often events of accounts' safety happened",
    description: 'For superusers. In the last day, and in the last seven.',
    input: {},
    response: SecurityEventCounts,
    handle: ({ context }) => sessions.countSecurityEvents(context),
  }),
];
