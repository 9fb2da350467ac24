// `npm run backup -- FILE`: backs up database, pictures and key into one file, while the server runs.
import { runBackup } from '#server/backup_commands.ts';
import { ConfigError, readConfig } from '#server/settings/config.ts';
import { runCommand } from './run_command.ts';
import { openTerminal } from './terminal.ts';

await runCommand(async () => {
  const [file, ...more] = process.argv.slice(2);
  if (file === undefined || more.length > 0 || file.startsWith('-'))
    throw new ConfigError('Usage: npm run backup -- FILE');
  using terminal = openTerminal();
  await runBackup(readConfig(process.env), file, terminal);
});
