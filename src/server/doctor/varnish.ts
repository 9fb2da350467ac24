import { describeFetchError, FETCH_TIMEOUT_MS } from './fetch_error.ts';
import { error, ok } from './finding.ts';
import type { Check } from './parts.ts';

/** Sends each of VARNISH_URLS a purge without tags, which clears nothing. */
export const checkVarnish: Check = ({ config }) =>
  Promise.all(config.cdn.varnishUrls.map(checkOne));

async function checkOne(url: string) {
  const { host } = new URL(url);
  try {
    const { status } = await fetch(url, {
      method: 'PURGE',
      redirect: 'manual',
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    // Our VCL looks first whether we may purge, and then for tags.
    if (status === 400) return ok(`${host} takes our purges.`);
    return status === 403
      ? error(
          `${host} refuses our purges, so it goes on serving old pages.`,
          'Name the address of this machine in servers_of_ours of its backends.vcl.',
        )
      : error(
          `${host} answers ${status} to a purge, which deploy/varnish/default.vcl does not.`,
          'Correct VARNISH_URLS, or copy deploy/varnish/*.vcl to that Varnish.',
        );
  } catch (reason) {
    return error(
      `${host} cannot be reached (${describeFetchError(reason)}), so it goes on serving old pages.`,
      'Start that Varnish, or correct VARNISH_URLS.',
    );
  }
}
