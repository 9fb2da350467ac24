import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { isLoopback } from '#server/http/ip_address.ts';
import { readServiceIds } from '#server/settings/service_id.ts';
import { fetchOrReason } from './fetch_or_reason.ts';
import { error, type Found, ok, warning } from './finding.ts';
import type { Check, CheckResult, DoctorParts } from './parts.ts';

const Health = z.object({ status: z.literal('alive'), service: z.optional(z.string()) });

/** Checks the form of SITE_URL, and that this very service answers there. */
export const checkSiteUrl: Check = async (parts) => {
  if (new URL(parts.config.siteUrl).port === '0')
    return warning(
      'PORT is 0 and SITE_URL is not set, so links lead nowhere.',
      'Set SITE_URL, or another PORT.',
    );
  const findings = [listFormProblems(parts), await checkAnswer(parts)].flat();
  const troubles = findings.filter(({ status }) => status !== 'ok');
  return troubles.length > 0 ? troubles : findings;
};

function listFormProblems({ config }: DoctorParts): CheckResult {
  const { siteUrl, smtpUrl, host, database } = config;
  const { protocol } = new URL(siteUrl);
  const hostname = hostOf(siteUrl);
  if (isLoopback(hostname)) {
    if (smtpUrl !== undefined)
      return warning(
        `Links in mails lead to ${siteUrl}, which only this machine finds.`,
        'Set SITE_URL to the public address.',
      );
    // Probably somebody is trying it out.
    if (database.kind === 'bundled' && isLoopback(host)) return [];
    return warning(
      `Links lead to ${siteUrl}, which only this machine finds.`,
      'Set SITE_URL to the public address.',
    );
  }
  if (protocol === 'https:') return [];
  return warning(
    `SITE_URL begins with http:, so passwords travel unencrypted.`,
    'Let a proxy answer by HTTPS, and begin SITE_URL with https:.',
  );
}

/** Asks the health check at the public address of the API. */
async function checkAnswer(parts: DoctorParts): Promise<Found> {
  const { siteUrl, publicApiUrl } = parts.config;
  const url = publicApiUrl || siteUrl;
  const setting = publicApiUrl ? 'PUBLIC_API_URL' : 'SITE_URL';
  // The parameter passes by caches.
  const healthUrl = `${url}/healthz?doctor=${randomUUID()}`;
  const response = await fetchOrReason(healthUrl, { redirect: 'manual' });
  if (typeof response === 'string')
    return warning(
      `${url} cannot be reached from here (${response}).`,
      `Start the server and its proxy, or correct ${setting}; leave it if only this machine cannot reach it.`,
    );
  const target = response.headers.get('location');
  if (response.status >= 300 && response.status < 400 && target !== null)
    return warning(
      `${url} redirects to ${new URL(target, url).origin}.`,
      `Set ${setting} to the address to which it redirects.`,
    );
  const advice = `Let the proxy pass requests on to this server, or correct ${setting}.`;
  if (!response.ok) return warning(`${url} answers with status ${response.status}.`, advice);
  const health = Health.safeParse(await response.json().catch(() => undefined));
  const ids = await readServiceIds(parts.config, parts.dataDir);
  if (!health.success) return error(`Something else answers at ${url}.`, advice);
  const { service } = health.data;
  // Without an id on either side, nothing shows that it is another service.
  if (service === undefined || ids.length === 0 || ids.includes(service))
    return ok(`This service answers at ${url}.`);
  return error(`Another Linework answers at ${url}: it has another SECRET_KEY.`, advice);
}

/** The host of a URL, without the brackets of an IPv6 address. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}
