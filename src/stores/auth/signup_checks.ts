// Checks of the sign-up form by the API while somebody fills it in.
import { checkPassword, checkUsername } from '#contract/account_endpoints.ts';
import { toUsername } from '#domain/accounts/typed_username.ts';
import { callPublic } from '../api.ts';
import { whenTypingPauses } from '../typing.ts';

/** Short, because the button Next waits for the answers. */
const CALL_OPTIONS = { timeout: 3000 };
/** A username that may be complete. `mika.` is not: its error is shown when the field is left. */
const FINISHED_USERNAME = /^[a-z\d].+[a-z\d]$/;

export type SignupChecks = ReturnType<typeof createSignupChecks>;

/** The checks of one form. An answer says why a value cannot be had; null if it can, or if the API did not answer. */
export function createSignupChecks() {
  const usernames = rememberLast((username) =>
    callPublic(checkUsername, { path: { username } }, CALL_OPTIONS),
  );
  const passwords = rememberLast((password) =>
    callPublic(checkPassword, { body: { password } }, CALL_OPTIONS),
  );
  /** Returns a function to call with each change of the username; `onAnswer` gets the answer about the latest one. */
  function followUsername(onAnswer: (why: string | null) => void): (typed: string) => void {
    let latest = '';
    const askLater = whenTypingPauses(async (username) => {
      const why = await usernames.ask(username);
      if (username === latest) onAnswer(why);
    });
    return (typed) => {
      latest = toUsername(typed);
      if (FINISHED_USERNAME.test(latest)) askLater(latest);
    };
  }
  return {
    findUsernameProblem: (typed: string) => usernames.ask(toUsername(typed)),
    findPasswordProblem: passwords.ask,
    followUsername,
    /** Keeps why the sign-up was refused: a check would find its earlier answer, and clear the error. */
    setUsernameRefusal: (typed: string, why: string) => usernames.set(toUsername(typed), why),
  };
}

/** Keeps the answer about the last value, so that the API is asked once about it. A failed call is made again. */
function rememberLast(call: (value: string) => Promise<{ why: string | null }>) {
  let last: { readonly value: string; readonly why: Promise<string | null> } | undefined;
  function ask(value: string): Promise<string | null> {
    if (last?.value === value) return last.why;
    const why = call(value).then(
      (answer) => answer.why,
      () => {
        if (last?.why === why) last = undefined;
        return null;
      },
    );
    last = { value, why };
    return why;
  }
  function set(value: string, why: string): void {
    last = { value, why: Promise.resolve(why) };
  }
  return { ask, set };
}
