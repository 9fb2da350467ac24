import * as z from 'zod/mini';
import { Email, Message } from '#contract/common.ts';
import { PasswordReset } from '#contract/login.ts';
import * as operations from '#server/operations/recovery.ts';
import { publicRoute, superuserRoute } from './route.ts';

const ByEmail = z.object({ email: Email });

const recover = publicRoute(
  {
    method: 'post',
    path: '/password-recovery/:email',
    summary: 'Ask for a way back into an account',
    description:
      'The answer is the same whether or not the address has an account. The link in the mail works once, within one hour; asking again replaces it.',
    takes: { path: ByEmail },
    status: 200,
    answer: Message,
    budget: 'recovery',
  },
  ({ context, path }) => operations.recoverPassword(context, path.email),
);

const reset = publicRoute(
  {
    method: 'post',
    path: '/reset-password',
    summary: 'Set a new password with the token of a recovery mail',
    description: 'The token works once, and every access token of the account ends.',
    takes: { body: PasswordReset },
    example: {
      new_password: 'battery staple',
      token: 'q0Jv5mXl3b2Yk9H1c7Wd4Zr8Tn6Ps0Ua2Ef5Gh7Ij9K',
    },
    status: 200,
    answer: Message,
    refusals: ['unusable_token'],
    budget: 'recovery',
  },
  ({ context, body }) => operations.resetPassword(context, body),
);

const recoveryMail = superuserRoute(
  {
    method: 'post',
    path: '/password-recovery-html-content/:email',
    summary: 'The recovery mail of an account, for someone whose mail does not arrive',
    description:
      'For superusers. Nothing is sent; the link in the answer works, and those before it end.',
    takes: { path: ByEmail },
    status: 200,
    answer: z.string().check(z.meta({ description: 'The mail as HTML' })),
    answerKind: 'html',
    refusals: ['not_found'],
  },
  ({ context, path }) => operations.readRecoveryMail(context, path.email),
);

export const recovery = [recover, reset, recoveryMail];
