import { useStore } from '@nanostores/react';
import { Fragment } from 'react';
import type { DoctorFinding, ServerState } from '#contract/admin.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { formatBytes } from '#domain/text/format_bytes.ts';
import { pluralize } from '#domain/time/duration.ts';
import { formatShortDateAndTime } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { $doctor, runDoctor } from '#stores/studio/admin.ts';
import { $serverState } from '#stores/studio/server_state.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { Icon, type IconName } from '../Icon.tsx';
import { QueryView } from '../LoadableView.tsx';
import { ReloadButton } from './ReloadButton.tsx';

/** The server that answered this page: versions, disk, last backup, and the doctor's checks. */
export function ServerPart({ me }: { me: CurrentArtist }) {
  return (
    <>
      <QueryView query={$serverState} label="state of the server">
        {(state) => (
          <div className="grid grid-cols-1 gap-5">
            <ServerFacts state={state} zone={me.studio} />
            <ReloadButton query={$serverState} resources={['admin-server']} />
          </div>
        )}
      </QueryView>
      <Doctor />
    </>
  );
}

function ServerFacts({ state, zone }: { state: ServerState; zone: StudioZone }) {
  const { versions, disk, backup, sends_mail, troubles } = state;
  const hasMailTrouble = troubles.new_failed_mails + troubles.retried_mails > 0;
  const facts: { name: string; value: string; isWrong?: boolean }[] = [
    { name: 'Linework', value: versions.program },
    { name: 'Node', value: versions.node.replace(/^v/, '') },
    { name: 'PostgreSQL', value: versions.postgres },
    { name: 'Last migration', value: versions.migration.replace(/\.sql$/, '') },
    { name: 'Disk', value: formatDisk(disk) },
    { name: 'Mail', value: formatMailState(state), isWrong: !sends_mail || hasMailTrouble },
    {
      name: 'Last backup',
      value: formatBackup(backup, zone),
      isWrong: backup === null || backup.is_old,
    },
  ];
  return (
    <dl className="card grid grid-cols-1 gap-x-6 gap-y-3 p-5 wrap-anywhere sm:grid-cols-[10rem_minmax(0,1fr)]">
      {facts.map(({ name, value, isWrong }) => (
        <div key={name} className="contents">
          <dt className="font-semibold max-sm:-mb-2">{name}</dt>
          <dd className={isWrong ? 'text-danger' : undefined}>
            <TextWithCode text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function formatDisk({ free_bytes, total_bytes }: ServerState['disk']): string {
  const freePercent = Math.floor((100 * free_bytes) / total_bytes);
  return `${formatBytes(free_bytes)} of ${formatBytes(total_bytes)} free (${freePercent}%)`;
}

function formatMailState({ sends_mail, troubles }: ServerState): string {
  if (!sends_mail) return 'Saved, not sent. Set SMTP_URL, and try it with `npm run mail:test`.';
  const { failed_mails, new_failed_mails, retried_mails } = troubles;
  if (failed_mails + retried_mails === 0) return 'Handed to the mail server';
  const sentences = ['Handed to the mail server.'];
  if (retried_mails > 0)
    sentences.push(`${pluralize(retried_mails, 'mail')} not accepted yet, to be tried again.`);
  if (failed_mails > 0)
    sentences.push(
      `${pluralize(failed_mails, 'mail')} failed, ${new_failed_mails} of them within 24 hours.`,
    );
  return sentences.join(' ');
}

function formatBackup(backup: ServerState['backup'], zone: StudioZone): string {
  if (backup === null)
    return 'Never. Set BACKUP_DIR for one each night, or run `npm run backup -- FILE`.';
  const { finished_at, file, bytes, is_old } = backup;
  const text = `${formatShortDateAndTime(finished_at, zone)}: ${file}, ${formatBytes(bytes)}`;
  if (!is_old) return text;
  return `${text}. It is older than a day: look for the reason in the log, and make one now.`;
}

function Doctor() {
  const { isRunning, findings } = useStore($doctor);
  return (
    <div className="grid grid-cols-1 gap-4">
      <h3 className="text-xl">Is all well?</h3>
      <p className="max-w-prose text-muted">
        The doctor tries every part of this server: database, mail, pictures, disk, settings. That
        takes up to 20 seconds.
      </p>
      <div>
        <BusyButton busy={isRunning} className="button button-main" onClick={runDoctor}>
          {isRunning ? 'Checking…' : 'Check now'}
        </BusyButton>
      </div>
      <div role="status">{findings !== null && <p>{formatSummary(findings)}</p>}</div>
      {findings !== null && <Findings findings={findings} />}
    </div>
  );
}

function formatSummary(findings: readonly DoctorFinding[]): string {
  const { error = [], warning = [] } = Object.groupBy(findings, ({ status }) => status);
  const troubles: string[] = [];
  if (error.length > 0) troubles.push(pluralize(error.length, 'error'));
  if (warning.length > 0) troubles.push(pluralize(warning.length, 'warning'));
  if (troubles.length === 0) return `All ${findings.length} checks passed.`;
  return `${troubles.join(' and ')} in ${findings.length} checks.`;
}

/** Lists errors, then warnings; the parts without trouble are folded. */
function Findings({ findings }: { findings: readonly DoctorFinding[] }) {
  const { error = [], warning = [], ok = [] } = Object.groupBy(findings, ({ status }) => status);
  const troubles = [...error, ...warning];
  return (
    <>
      {troubles.length > 0 && <FindingList name="What is wrong" findings={troubles} />}
      {ok.length > 0 && (
        <details>
          <summary className="cursor-pointer py-2.5 font-semibold">
            {`What is fine (${ok.length})`}
          </summary>
          <FindingList name="What is fine" findings={ok} />
        </details>
      )}
    </>
  );
}

function FindingList({ name, findings }: { name: string; findings: readonly DoctorFinding[] }) {
  return (
    <ul aria-label={name} className="card grid grid-cols-1 divide-y divide-line overflow-hidden">
      {findings.map((finding) => (
        <FindingRow key={`${finding.part} ${finding.message}`} finding={finding} />
      ))}
    </ul>
  );
}

const STATUSES: Record<DoctorFinding['status'], { icon: IconName; color: string; label: string }> =
  {
    error: { icon: 'alert', color: 'text-danger', label: 'Error' },
    warning: { icon: 'alert', color: 'text-ink', label: 'Warning' },
    ok: { icon: 'check', color: 'text-success', label: 'Fine' },
  };

function FindingRow({ finding }: { finding: DoctorFinding }) {
  const { icon, color, label } = STATUSES[finding.status];
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 px-4 py-3 sm:px-5">
      <span className={`pt-0.5 ${color}`}>
        <Icon name={icon} />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <h4 className="font-sans font-semibold">{`${label}: ${finding.part}`}</h4>
        <p>
          <TextWithCode text={finding.message} />
        </p>
        {finding.advice !== null && (
          <p className="text-muted">
            <TextWithCode text={finding.advice} />
          </p>
        )}
      </div>
    </li>
  );
}

/** Renders the parts of a text between backticks, such as a command, as code. */
function TextWithCode({ text }: { text: string }) {
  // `split` also returns what the pattern captures: every second part is code.
  const parts = text.split(/`([^`]+)`/);
  return parts.map((part, index) => {
    const key = `${index} ${part}`;
    if (index % 2 === 0) return <Fragment key={key}>{part}</Fragment>;
    return (
      <code key={key} className="font-mono text-[0.9em]">
        {part}
      </code>
    );
  });
}
