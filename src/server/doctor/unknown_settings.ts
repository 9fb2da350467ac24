import { SETTINGS, type Variables } from '#server/settings/settings.ts';
import { type Found, ok, warning } from './finding.ts';
import type { Check } from './parts.ts';

/** With such a beginning, a variable is meant for us. */
const OWN_PREFIXES =
  /^(LINEWORK|RETAIN|S3|SMTP|MAIL|STRIPE|CLOUDFLARE|FASTLY|VARNISH|BACKUP|LOG|METRICS|SECRET_KEY|DATABASE|FIRST_SUPERUSER|TRUSTED|PAGE_CACHE|HOLD|OFFER)_/;
/** Not settings, but known: of our own processes and tests, and of other programs. */
const IGNORED = /^(LINEWORK_TEST_|npm_|APP_URL$|CLOUDFLARE_ACCOUNT_ID$)/;
/** Other programs have these settings where we have one URL. */
const SMTP_PARTS = /^(SMTP|MAIL)_(HOST|SERVER|PORT|USER|USERNAME|PASS|PASSWORD|SECURE|TLS)$/;
const DATABASE_PARTS = /^DATABASE_(HOST|PORT|USER|USERNAME|PASS|PASSWORD|NAME)$/;

/** Finds variables that look like our settings, and are none. */
export const checkUnknownSettings: Check = async ({ variables }) => {
  const findings = listUnknown(variables);
  return findings.length > 0 ? findings : ok('Every setting is known.');
};

function listUnknown(variables: Variables): Found[] {
  const findings: Found[] = [];
  for (const [name, value] of Object.entries(variables)) {
    if (!value || SETTINGS.includes(name) || IGNORED.test(name)) continue;
    const advice = findAdvice(name);
    if (advice !== undefined)
      findings.push(warning(`${name} is not a setting, so it does nothing.`, advice));
  }
  return findings;
}

/** Undefined for a variable that is probably not meant for us. */
function findAdvice(name: string): string | undefined {
  if (SMTP_PARTS.test(name))
    return 'Write it into SMTP_URL: smtp://user:password@mail.linework.example:587.';
  if (DATABASE_PARTS.test(name))
    return 'Write it into DATABASE_URL: postgres://user:password@host:5432/name.';
  const withoutFile = name.replace(/_FILE$/, '');
  if (withoutFile !== name && SETTINGS.includes(withoutFile))
    return `Only secrets may be in a file: set ${withoutFile}.`;
  const isOwn = OWN_PREFIXES.test(name);
  const nearest = findNearest(name, isOwn);
  if (nearest !== undefined) return `Did you mean ${nearest}?`;
  return isOwn ? 'Remove it, or correct its name: docs/settings.md lists all settings.' : undefined;
}

function findNearest(name: string, isOwn: boolean): string | undefined {
  const upper = name.toUpperCase();
  // `host` and `port` in small letters are of other programs.
  if (upper !== name && !(name.includes('_') && SETTINGS.includes(upper))) return undefined;
  const limit = isOwn ? 3 : maxDistance(name);
  const [best] = SETTINGS.map((setting) => ({ setting, distance: editDistance(upper, setting) }))
    .filter(({ setting, distance }) => distance <= limit && isAlike(name, setting))
    .toSorted((a, b) => a.distance - b.distance);
  return best?.setting;
}

/** How many letters may differ: fewer in a short name, as it resembles many others. */
function maxDistance({ length }: string): number {
  return length > 8 ? 2 : 1;
}

/** A short name with another first letter is probably another word, and not mistyped. */
function isAlike(name: string, setting: string): boolean {
  return setting.length > 5 || name[0] === setting[0];
}

/** How many letters to insert, delete, replace or swap with their neighbour to turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  // A cell is the distance between the first letters of `a` (row) and of `b` (column).
  const rows: number[][] = [];
  const distance = (row: number, column: number) =>
    row === 0 || column === 0 ? row + column : (rows[row]?.[column] ?? 0);
  for (let row = 1; row <= a.length; row += 1) {
    const cells = [row];
    rows[row] = cells;
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      cells[column] = Math.min(
        distance(row - 1, column) + 1,
        distance(row, column - 1) + 1,
        distance(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? distance(row - 2, column - 2) + 1 : Infinity,
      );
    }
  }
  return distance(a.length, b.length);
}
