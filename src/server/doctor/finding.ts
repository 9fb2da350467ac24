/** What a check has found. */
export type Found = Healthy | Trouble;

/** One line of the doctor's list: the state of a part of our server, such as `mail`. */
export type Finding = Found & { readonly part: string };

interface Healthy {
  readonly status: 'ok';
  /** A sentence that says what was found. Contains no secret. */
  readonly message: string;
}

interface Trouble extends Omit<Healthy, 'status'> {
  /** `error`: the server fails in this part. `warning`: it works, but probably not as meant. */
  readonly status: 'warning' | 'error';
  /** A sentence that says what to do. */
  readonly advice: string;
}

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
