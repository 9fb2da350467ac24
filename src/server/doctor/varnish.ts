import { fetchOrReason } from './fetch_or_reason.ts';
import { error, ok } from './finding.ts';
import type { Check } from './parts.ts';

/** Sends each of VARNISH_URLS a purge without tags, which clears nothing. */
export const checkVarnish: Check = ({ config }) =>
  Promise.all(config.cdn.varnishUrls.map(checkOne));

async function checkOne(url: string) {
  const { host } = new URL(url);
  const response = await fetchOrReason(url, { method: 'PURGE', redirect: 'manual' });
  if (typeof response === 'string')
    return error(
      `${host} cannot be reached (${response}), so it goes on serving old pages.`,
      'Start that Varnish, or correct VARNISH_URLS.',
    );
  // Our VCL looks first whether we may purge, and then for tags.
  if (response.status === 400) return ok(`${host} takes our purges.`);
  return response.status === 403
    ? error(
        `${host} refuses our purges, so it goes on serving old pages.`,
        'Name the address of this machine in servers_of_ours of its backends.vcl.',
      )
    : error(
        `${host} answers ${response.status} to a purge, which deploy/varnish/default.vcl does not.`,
        'Correct VARNISH_URLS, or copy deploy/varnish/*.vcl to that Varnish.',
      );
}
