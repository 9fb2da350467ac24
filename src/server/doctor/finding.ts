/**
 * The finding of a check, in a sentence without a secret, and its remedy. `error`: the server
 * fails in this part. `warning`: it works, but probably not as meant.
 */
export type Found =
  | { readonly status: 'ok'; readonly message: string }
  | { readonly status: 'warning' | 'error'; readonly message: string; readonly advice: string };

/** One line of the doctor's list: the state of a part of our server, such as `mail`. */
export type Finding = Found & { readonly part: string };

/** How many names one finding lists. */
export const MAX_NAMES = 3;

export function ok(message: string): Found {
  return { status: 'ok', message };
}

export function warning(message: string, advice: string): Found {
  return { status: 'warning', message, advice };
}

export function error(message: string, advice: string): Found {
  return { status: 'error', message, advice };
}

/** The first of `count` names: a finding is one line. */
export function listSome(names: readonly string[], count = names.length): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return count > MAX_NAMES ? `${shown} and ${count - MAX_NAMES} more` : shown;
}

/** The finding as one line, without its status. */
export function formatFinding(finding: Finding): string {
  const advice = finding.status === 'ok' ? '' : ` ${finding.advice}`;
  return `${finding.part}: ${finding.message}${advice}`;
}
