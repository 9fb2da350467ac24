/** Networks of clients, as limits count them: `203.0.113.0/24` of IPv4, `2001:db8:1:200::/56` of IPv6. */

/**
 * The /48 of IPv6 around a /56, which one person can have for nothing: `2001:db8:1::/48`.
 * @returns null for any other text
 */
export function widerNetwork(network: string): string | null {
  const [, groups] = /^([\da-f:]*)::\/56$/.exec(network) ?? [];
  if (groups === undefined) return null;
  const [first = '', second = '0', third = '0'] = groups.split(':');
  return `${first || '0'}:${second}:${third}::/48`;
}

/** The widest network that one person can have for nothing: the /48 around a /56 of IPv6, else itself. */
export function widestNetwork(network: string): string {
  return widerNetwork(network) ?? network;
}

/** Whether a network is the same as another one, or a part of it. */
export function isWithinNetwork(network: string, wider: string): boolean {
  return network === wider || widerNetwork(network) === wider;
}
