/**
 * Whether a password is the account's email, the part before its `@`, or its username, in any letter
 * case. People who guess passwords try these first.
 */
export function isAccountName(
  password: string,
  { email, username }: { readonly email: string; readonly username: string },
): boolean {
  const address = email.toLowerCase();
  const [mailboxName] = address.split('@');
  return [address, mailboxName, username.toLowerCase()].includes(
    password.normalize().toLowerCase(),
  );
}

/** Whether two passwords are the same, in any form of Unicode. */
export function isSamePassword(one: string, other: string): boolean {
  return one.normalize() === other.normalize();
}
