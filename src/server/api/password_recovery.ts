import * as z from 'zod/mini';
import { Email, Message } from '#contract/common.ts';
import * as endpoints from '#contract/endpoints.ts';
import { DeviceHeader, PasswordReset, PasswordResetAnswer } from '#contract/login.ts';
import { OwnerProof } from '#contract/owner_proof.ts';
import * as operations from '#server/operations/accounts/password_recovery.ts';
import { loginSource } from './login.ts';
import { OWNER_PROOF_TEXT, PROOF_EXAMPLE } from './owner_proof.ts';
import { anyone, route, superusers } from './route.ts';

const EmailPath = z.object({ email: Email });

export const passwordRecovery = [
  route(endpoints.recoverPassword, anyone, {
    summary: 'Request a password recovery mail',
    description:
      'The response is the same with and without an account. The link works once, within one hour, also when another link is requested. Links of one account that are not used stop working with the first one used. At most 10 mails an hour are sent for an email, 3 of them from one network; 3 more from a browser whose `Device-Token` is of this account. Beyond that the response is the same.',
    input: { header: DeviceHeader, path: EmailPath },
    hidesMissing: true,
    response: Message,
    rateLimit: 'recovery',
    handle: (call) =>
      operations.requestPasswordRecovery(call.context, call.path.email, loginSource(call)),
  }),
  route(endpoints.resetPassword, anyone, {
    summary: 'Set a new password with the token of a recovery mail',
    description:
      'The token works once. All access tokens of the account are revoked, and its other recovery links. With the `device_token`, which is like that of a login, this browser can log in while others are refused.',
    input: { header: DeviceHeader, body: PasswordReset },
    example: {
      new_password: 'battery staple',
      token: 'q0Jv5mXl3b2Yk9H1c7Wd4Zr8Tn6Ps0Ua2Ef5Gh7Ij9K',
    },
    response: PasswordResetAnswer,
    refusals: ['link_not_valid'],
    rateLimit: 'recovery',
    handle: (call) => operations.resetPassword(call.context, call.body, loginSource(call)),
  }),
  route(endpoints.renderRecoveryMail, superusers(), {
    summary: 'A new recovery mail as HTML, to give to an artist who receives no mails',
    description: `For superusers; ${OWNER_PROOF_TEXT} Does not send this mail; another one tells the artist of the link. Earlier links stay valid.`,
    input: { path: EmailPath, body: OwnerProof },
    example: PROOF_EXAMPLE,
    response: z.string().check(z.meta({ description: 'The mail as HTML' })),
    ownerProof: ({ body }) => body,
    handle: ({ context, caller, path }) =>
      operations.renderRecoveryMail(context, caller, path.email),
  }),
];
