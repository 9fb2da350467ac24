import { isLoopback, isTrustedAddress } from '#server/http/ip_address.ts';
import { PROXY_NETWORKS } from '#server/http/proxy_networks.ts';
import { type Found, ok, warning } from './finding.ts';
import type { Check, CheckResult, DoctorParts } from './parts.ts';

/** Addresses of documentation (RFC 5737 and 3849), which no proxy has. */
const STRANGERS = ['192.0.2.1', '2001:db8::1'];

/** Checks TRUSTED_PROXIES as far as possible without a request: limits count clients by it. */
export const checkProxies: Check = async (parts) => {
  const findings = [listCdnProblems(parts), listAddressProblems(parts)].flat();
  if (findings.length > 0) return findings;
  const trusted = parts.variables['TRUSTED_PROXIES'] || 'this machine and private networks';
  return ok(`X-Forwarded-For is believed from ${trusted}.`);
};

/** A CDN that is purged is in front, so requests come through its networks. */
function listCdnProblems({ config }: DoctorParts): Found[] {
  const isTrusted = (network: string) =>
    isTrustedAddress(network.replace(/\/.*/, ''), config.trustedProxies);
  return (['cloudflare', 'fastly'] as const)
    .filter((name) => config.cdn[name] && !PROXY_NETWORKS[name].every(isTrusted))
    .map((name) =>
      warning(
        `${name} is in front of this server and not in TRUSTED_PROXIES, so all clients behind one of its servers count as one.`,
        `Add ${name} to TRUSTED_PROXIES.`,
      ),
    );
}

function listAddressProblems({ config, variables }: DoctorParts): CheckResult {
  const { host, trustedProxies } = config;
  if (STRANGERS.some((address) => isTrustedAddress(address, trustedProxies)))
    return warning(
      'TRUSTED_PROXIES contains the whole internet, so every client can invent its address.',
      'Name only the addresses of your proxies.',
    );
  const isSet = Boolean(variables['TRUSTED_PROXIES']);
  const loopback = host.includes(':') ? '::1' : '127.0.0.1';
  if (isSet && isLoopback(host) && !isTrustedAddress(loopback, trustedProxies))
    return warning(
      `TRUSTED_PROXIES never matches: on HOST ${host}, every connection comes from this machine, and all clients count as one.`,
      `Add ${loopback} to TRUSTED_PROXIES.`,
    );
  return [];
}
