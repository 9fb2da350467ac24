import type { AstroLoggerDestination, AstroLoggerMessage } from 'astro';

/** Until our own server runs the built site: Astro uses this log while it builds, too. */
let receiver: AstroLoggerDestination['write'] = ({ level, label, message }) => {
  const print = level === 'error' || level === 'warn' ? console[level] : console.log;
  print(label === null || label === 'SKIP_FORMAT' ? message : `[${label}] ${message}`);
};

/** Sends what Astro logs from now on to our own server, which runs the built site. */
export function sendAstroLogTo(receive: (message: AstroLoggerMessage) => void): void {
  receiver = receive;
}

/** The destination of Astro's messages (`scripts/adapter.ts`). Node strips the types of this file. */
export default function createAstroLog(): AstroLoggerDestination {
  return { write: (message) => receiver(message) };
}
