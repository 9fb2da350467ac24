/** The settings of the log. */

/** Text for people, JSON for programs. */
export const LOG_FORMATS = ['text', 'json'] as const;
/** From the least important lines to the most. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export interface LogConfig {
  readonly format: (typeof LOG_FORMATS)[number];
  /** Lines below this level are not written. */
  readonly level: (typeof LOG_LEVELS)[number];
}
