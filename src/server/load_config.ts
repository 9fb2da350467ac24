import { readFileSync } from 'node:fs';
import { type Config, readConfig, type Variables } from './config.ts';

/**
 * Reads the settings of this process, and the files of secrets that they name.
 * @throws ConfigError that names every invalid setting
 */
export function loadConfig(variables: Variables = process.env): Config {
  return readConfig(variables, readSecretFile);
}

/** Reads the file that a setting such as `SECRET_KEY_FILE` names. */
export function readSecretFile(path: string): string {
  return readFileSync(path, 'utf8');
}
