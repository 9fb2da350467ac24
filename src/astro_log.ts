import type { AstroLoggerDestination, AstroLoggerMessage } from 'astro';

let receiver: AstroLoggerDestination['write'] = ({ level, message }) => {
  if (level === 'error' || level === 'warn') console[level](message);
};

/** Sends what Astro logs from now on to our own server, which runs the built site. */
export function sendAstroLogTo(receive: (message: AstroLoggerMessage) => void): void {
  receiver = receive;
}

/** Astro's destination of the built site (`scripts/adapter.ts`). */
export default function createAstroLog(): AstroLoggerDestination {
  return { write: (message) => receiver(message) };
}
