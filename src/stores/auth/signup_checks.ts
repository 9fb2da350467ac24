// What the sign-up form asks the API while somebody fills it in.
import { checkPassword, checkUsername } from '#contract/account_endpoints.ts';
import { toUsername } from '#domain/typed_username.ts';
import { callPublic } from '../api.ts';
import { whenTypingPauses } from '../typing.ts';

/** Next waits for the answers. */
const OPTIONS = { timeout: 3000 };
/** Others, such as `mika.`, are not typed to their end; leaving the field says what is wrong with them. */
const FINISHED_USERNAME = /^[a-z\d].+[a-z\d]$/;

/** Resolves to the sentence about a value that cannot be had; null if it can, or nobody knows. */
type FindProblem = (value: string) => Promise<string | null>;

export type SignupChecks = ReturnType<typeof createSignupChecks>;

export function createSignupChecks() {
  const ask = rememberLast((username) =>
    callPublic(checkUsername, { path: { username } }, OPTIONS),
  );
  /**
   * Returns a function that is called with each change of the username.
   * @param onAnswer called when the answer about the username that is typed now has arrived
   */
  function followUsername(onAnswer: (why: string | null) => void): (typed: string) => void {
    let latest = '';
    const askLater = whenTypingPauses(async (username) => {
      const why = await ask(username);
      if (username === latest) onAnswer(why);
    });
    return (typed) => {
      latest = toUsername(typed);
      if (FINISHED_USERNAME.test(latest)) askLater(latest);
    };
  }
  return {
    findUsernameProblem: (typed: string) => ask(toUsername(typed)),
    findPasswordProblem: rememberLast((password) =>
      callPublic(checkPassword, { body: { password } }, OPTIONS),
    ),
    followUsername,
  };
}

/** Asks once for a value that is looked at several times. A failed call is made again. */
function rememberLast(ask: (value: string) => Promise<{ why: string | null }>): FindProblem {
  let last: { readonly value: string; readonly why: Promise<string | null> } | undefined;
  return (value) => {
    if (last?.value === value) return last.why;
    const why = ask(value).then(
      (answer) => answer.why,
      () => {
        if (last?.why === why) last = undefined;
        return null;
      },
    );
    last = { value, why };
    return why;
  };
}
