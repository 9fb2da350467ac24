// The exceptions of `npm run check:browsers` (newer_features.ts).
import type { PageGroup } from './browser_floors.ts';

/** A feature that may be used although the oldest supported browsers do not have it, and why. */
interface AllowedFeature {
  readonly name: string;
  /** The pages on which it may be used; all if it is not given. */
  readonly pages?: PageGroup;
  readonly reason: string;
}

const OTHER_MEANING = 'a field or method of our own, or of a library, with the same name';
const FEATURE_TEST = 'used only after a test that the browser has it';

export const ALLOWED_FEATURES: readonly AllowedFeature[] = [
  // Scripts.
  ...['.windows', '.when', '.role', '.address', 'attribute watch'].map((name) => ({
    name,
    reason: OTHER_MEANING,
  })),
  { name: '.toArray', pages: 'studio', reason: `${OTHER_MEANING} (dnd-kit)` },
  { name: '.bytes', reason: 'a field of our own; ky tests that the browser has the method' },
  {
    name: 'AbortSignal.any',
    reason: 'ky tests for it; without it, a call that times out is not aborted',
  },
  { name: '.duplex', reason: 'an option of ky; browsers that do not know it ignore it' },
  ...[
    '.getTransports',
    '.getPublicKey',
    '.getPublicKeyAlgorithm',
    '.getAuthenticatorData',
    '.isConditionalMediationAvailable',
    'Error.captureStackTrace',
  ].map((name) => ({ name, pages: 'clients' as const, reason: FEATURE_TEST })),
  ...['.stackTraceLimit', '.authenticatorAttachment'].map((name) => ({
    name,
    pages: 'clients' as const,
    reason: 'undefined is dealt with',
  })),
  ...[
    '.fetchPriority',
    'attribute fetchPriority',
    '.imageSizes',
    'attribute imageSizes',
    'attribute imageSrcSet',
    '.movementX',
    '.movementY',
    '.animation',
    '.popover',
    '.startViewTransition',
    'navigation',
    'setImmediate',
  ].map((name) => ({
    name,
    pages: 'clients' as const,
    reason: 'React tests for it, or our pages do not use it',
  })),
  { name: 'globalThis.Temporal', pages: 'studio', reason: 'temporal-polyfill stands in for it' },
  // Styles.
  {
    name: '@property',
    pages: 'clients',
    reason: 'Tailwind CSS sets the same first values in `@layer properties`',
  },
  { name: 'lh', pages: 'clients', reason: 'Tailwind CSS, for a part that only WebKit has' },
  ...['text-wrap', 'text-wrap: balance', 'text-wrap: pretty'].map((name) => ({
    name,
    reason: 'without it, lines break elsewhere',
  })),
  {
    name: '@media (scripting)',
    pages: 'clients',
    reason: 'without it, and with scripts off, an island is visible beside the plain form',
  },
  { name: '@view-transition', pages: 'clients', reason: 'without it, pages do not fade' },
  ...['scrollbar-width', 'scrollbar-width: none'].map((name) => ({
    name,
    pages: 'studio' as const,
    reason: 'FullCalendar; Safari hides the bar by `::-webkit-scrollbar`',
  })),
  ...['overflow-anchor', 'overflow-anchor: none'].map((name) => ({
    name,
    pages: 'studio' as const,
    reason: 'FullCalendar; Safari does not anchor',
  })),
];
