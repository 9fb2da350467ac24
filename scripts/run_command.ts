import { debuglog } from 'node:util';
import { describeFailure } from '#server/log/describe_failure.ts';

/** Prints only with `NODE_DEBUG=linework`. */
const debug = debuglog('linework');

/**
 * Runs a command. When it fails, prints one sentence and no stack; `LOG_LEVEL=debug` adds the stack of
 * an unexpected error.
 * @param main returns false when the command ends with exit code 1
 */
export async function runCommand(main: () => Promise<boolean> | Promise<void>): Promise<void> {
  try {
    if ((await main()) === false) process.exitCode = 1;
  } catch (error) {
    console.error(describeFailure(error, process.env['LOG_LEVEL'] === 'debug'));
    process.exitCode = 1;
  } finally {
    debug('Peak memory: %d MB', Math.round(process.resourceUsage().maxRSS / 1024));
  }
}
