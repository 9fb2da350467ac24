import type { APIContext } from 'astro';

const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/;

/** The visitor's IP address, for a site on another host than the API; undefined where the host does not know it. */
export function visitorAddress(
  context: Pick<APIContext, 'clientAddress' | 'request'>,
): string | undefined {
  let address: string;
  try {
    address = context.clientAddress;
  } catch {
    return undefined;
  }
  if (!LOOPBACK.test(address)) return address;
  // A proxy on this machine has added its client's address at the end.
  return context.request.headers.get('X-Forwarded-For')?.split(',').at(-1)?.trim() || address;
}

/** The value of `VISITOR_HEADER`: the address and its HMAC. @param key the `VISITOR_KEY` of this host and of the API */
export async function signVisitorAddress(address: string, key: string): Promise<string> {
  const encoder = new TextEncoder();
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const secret = await crypto.subtle.importKey('raw', encoder.encode(key), hmac, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', secret, encoder.encode(address));
  return `${address} ${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
}
