// `npm run doctor`: checks every part of the server, and says what to do about what is wrong.
// `npm run doctor -- --json` prints the same for programs.
import { runDoctorChecks } from '#server/doctor/doctor.ts';
import { formatFinding } from '#server/doctor/finding.ts';
import { readConfig } from '#server/settings/config.ts';
import { runCommand } from './run_command.ts';

/** The length of the longest status. */
const STATUS_WIDTH = 'warning'.length;

await runCommand(async () => {
  const findings = await runDoctorChecks(readConfig(process.env), process.env);
  const countOf = (status: string) => findings.filter((one) => one.status === status).length;
  const [errors, warnings] = [countOf('error'), countOf('warning')];
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify({ errors, warnings, findings }, null, 2));
  } else {
    for (const finding of findings)
      console.log(`${finding.status.padEnd(STATUS_WIDTH)}  ${formatFinding(finding)}`);
    console.log(`${findings.length} checks: ${errors} errors, ${warnings} warnings.`);
  }
  return errors === 0;
});
