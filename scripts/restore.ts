// `npm run restore -- FILE`: restores a backup into an empty place (docs/restore.md).
import { parseArgs } from 'node:util';
import { runRestore } from '#server/backup_commands.ts';
import { ConfigError, readConfig } from '#server/settings/config.ts';
import { runCommand } from './run_command.ts';
import { openTerminal } from './terminal.ts';

const USAGE =
  'Usage: npm run restore -- FILE [--erasures FILE | --without-erasures] [--keep-pictures]';

await runCommand(async () => {
  const { values, positionals } = readArguments();
  const [file, ...more] = positionals;
  const isContradictory = values.erasures !== undefined && values['without-erasures'];
  if (file === undefined || more.length > 0 || isContradictory) throw new ConfigError(USAGE);
  using terminal = openTerminal();
  await runRestore(
    readConfig(process.env),
    {
      file,
      erasures: values.erasures,
      withoutErasures: values['without-erasures'] ?? false,
      keepPictures: values['keep-pictures'] ?? false,
    },
    terminal,
  );
});

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        erasures: { type: 'string', multiple: true },
        'without-erasures': { type: 'boolean' },
        'keep-pictures': { type: 'boolean' },
      },
    });
  } catch (cause) {
    throw new ConfigError(USAGE, { cause });
  }
}
