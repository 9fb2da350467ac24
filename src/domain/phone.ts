const E164 = /^\+[1-9]\d{6,14}$/;
const NORTH_AMERICAN = /^\+1[2-9]\d{9}$/;

/**
 * A phone number as E.164, or null when it cannot be one. Without a country code it is +1
 * (contract, Appointment); spaces, dots, dashes and brackets do not matter.
 */
export function toE164(typed: string): string | null {
  // Written as +44 (0)20 …, the zero in brackets is dialled only within the country.
  const dialled = typed.trim().startsWith('+') ? typed.replace('(0)', '') : typed;
  const bare = dialled.replace(/[\s().\-/]/g, '');
  const digits = bare.replace(/^\+/, '');
  if (!/^\d+$/.test(digits)) return null;
  if (bare.startsWith('+')) return isValidNumber(bare) ? bare : null;
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  return isValidNumber(`+1${national}`) ? `+1${national}` : null;
}

function isValidNumber(number: string): boolean {
  return number.startsWith('+1') ? NORTH_AMERICAN.test(number) : E164.test(number);
}
