import * as z from 'zod/mini';
import { Email, Message } from '#contract/common.ts';
import * as endpoints from '#contract/endpoints.ts';
import { PasswordReset } from '#contract/login.ts';
import * as operations from '#server/operations/password_recovery.ts';
import { anyone, route, superusers } from './route.ts';

const EmailPath = z.object({ email: Email });

export const passwordRecovery = [
  route(endpoints.recoverPassword, {
    access: anyone,
    summary: 'Request a password recovery mail',
    description:
      'The response is the same with and without an account. The link works once, within one hour; a newer link replaces it.',
    input: { path: EmailPath },
    hidesMissing: true,
    response: Message,
    rateLimit: 'recovery',
    handle: ({ context, path }) => operations.requestPasswordRecovery(context, path.email),
  }),
  route(endpoints.resetPassword, {
    access: anyone,
    summary: 'Set a new password with the token of a recovery mail',
    description: 'The token works once. All access tokens of the account are revoked.',
    input: { body: PasswordReset },
    example: {
      new_password: 'battery staple',
      token: 'q0Jv5mXl3b2Yk9H1c7Wd4Zr8Tn6Ps0Ua2Ef5Gh7Ij9K',
    },
    response: Message,
    refusals: ['link_not_valid'],
    rateLimit: 'recovery',
    handle: ({ context, body }) => operations.resetPassword(context, body),
  }),
  route(endpoints.renderRecoveryMail, {
    access: superusers(),
    summary: 'A new recovery mail as HTML, to give to an artist who receives no mails',
    description: 'For superusers. Sends no mail. The new link replaces earlier ones.',
    input: { path: EmailPath },
    response: z.string().check(z.meta({ description: 'The mail as HTML' })),
    handle: ({ context, path }) => operations.renderRecoveryMail(context, path.email),
  }),
];
