/** The destination of Astro's messages in builds, which `scripts/adapter.ts` names. */
import type { AstroLoggerDestination, AstroLoggerMessage } from 'astro';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Everyone who knows an appointment's id can open it, so logs must not have ids. */
function hideIds(text: string): string {
  return text.replace(UUID, '…');
}

/** Prints why a page failed, on a host that is not our own server. */
export function printPageError(error: unknown, requestId: string): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(`A page failed (reference ${requestId}): ${hideIds(text)}`);
}

/** Builds and the standalone server print to the console; our own server replaces this with `sendAstroLogTo`. */
let receiver: AstroLoggerDestination['write'] = ({ level, label, message }) => {
  const print = level === 'error' || level === 'warn' ? console[level] : console.log;
  const text = hideIds(message);
  print(label === null || label === 'SKIP_FORMAT' ? text : `[${label}] ${text}`);
};

/** Sends Astro's messages from this call on to our own server, which runs the built site. */
export function sendAstroLogTo(receive: (message: AstroLoggerMessage) => void): void {
  receiver = receive;
}

/** Astro calls this. */
export default function createAstroLog(): AstroLoggerDestination {
  return { write: (message) => receiver(message) };
}
