import * as z from 'zod/mini';
import { Email, Message } from '#contract/common.ts';
import { PasswordReset } from '#contract/login.ts';
import * as operations from '#server/operations/password_recovery.ts';
import { publicRoute, superuserRoute } from './route.ts';

const EmailPath = z.object({ email: Email });

const requestPasswordRecovery = publicRoute(
  {
    method: 'post',
    path: '/password-recovery/:email',
    summary: 'Ask for a way back into an account',
    description:
      'The answer is the same whether or not the address has an account. The link in the mail works once, within one hour; asking again replaces it.',
    input: { path: EmailPath },
    status: 200,
    response: Message,
    budget: 'recovery',
  },
  ({ context, path }) => operations.requestPasswordRecovery(context, path.email),
);

const resetPassword = publicRoute(
  {
    method: 'post',
    path: '/reset-password',
    summary: 'Set a new password with the token of a recovery mail',
    description: 'The token works once, and every access token of the account ends.',
    input: { body: PasswordReset },
    example: {
      new_password: 'battery staple',
      token: 'q0Jv5mXl3b2Yk9H1c7Wd4Zr8Tn6Ps0Ua2Ef5Gh7Ij9K',
    },
    status: 200,
    response: Message,
    refusals: ['unusable_token'],
    budget: 'recovery',
  },
  ({ context, body }) => operations.resetPassword(context, body),
);

const getRecoveryMail = superuserRoute(
  {
    method: 'post',
    path: '/password-recovery-html-content/:email',
    summary: 'The recovery mail of an account, for someone whose mail does not arrive',
    description:
      'For superusers. Nothing is sent; the link in the answer works, and those before it end.',
    input: { path: EmailPath },
    status: 200,
    response: z.string().check(z.meta({ description: 'The mail as HTML' })),
    responseKind: 'html',
    refusals: ['not_found'],
  },
  ({ context, path }) => operations.renderRecoveryMail(context, path.email),
);

export const passwordRecovery = [requestPasswordRecovery, resetPassword, getRecoveryMail];
