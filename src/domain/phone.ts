const E164 = /^\+[1-9]\d{6,14}$/;
const NORTH_AMERICAN = /^\+1[2-9]\d{9}$/;

/**
 * A phone number as E.164, or null when it cannot be one. A number without a country code gets +1;
 * spaces, dots, dashes, slashes and brackets are ignored.
 */
export function toE164(typed: string): string | null {
  // In +44 (0)20 …, the zero in brackets is dialled only within the country.
  const dialled = typed.trim().startsWith('+') ? typed.replace('(0)', '') : typed;
  const bare = dialled.replace(/[\s().\-/]/g, '');
  if (!/^\+?\d+$/.test(bare)) return null;
  const number = bare.startsWith('+') ? bare : `+1${bare.replace(/^1(?=\d{10}$)/, '')}`;
  return (number.startsWith('+1') ? NORTH_AMERICAN : E164).test(number) ? number : null;
}
