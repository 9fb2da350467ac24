/** Copies of data that an artist downloads. */
import { DAY_MS } from '../time/time.ts';

export const EXPORT_STATES = ['waiting', 'running', 'ready', 'failed'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

/** How long a finished export can be downloaded. */
export const EXPORT_LIFETIME_MS = DAY_MS;

/** The longest name that a picture's title gives to its file. */
const MAX_NAME_LENGTH = 60;

/**
 * The name of a file, without its ending, such as `swallow-6d3f7f0e`. The first part of the id
 * distinguishes files with the same title.
 */
export function toFileName(title: string, id: string): string {
  const name = title
    .normalize('NFC')
    .toLowerCase()
    // Letters of every script, with their accents, and digits. All else could mean something to a file system.
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()
    .replace(/^-+|-+$/g, '');
  const [shortId = ''] = id.split('-');
  return name === '' ? shortId : `${name}-${shortId}`;
}

const KILOBYTE = 1000;
const MEGABYTE = 1000 * KILOBYTE;

/** '12 MB', or '340 KB'. A file is never shown as empty. */
export function formatFileSize(bytes: number): string {
  return bytes < MEGABYTE
    ? `${Math.max(1, Math.round(bytes / KILOBYTE))} KB`
    : `${Math.round(bytes / MEGABYTE)} MB`;
}
