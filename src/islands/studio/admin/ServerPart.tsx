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

/** The server that answers: versions, disk, last backup, and the doctor's list. */
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
  const freePercent = Math.floor((100 * disk.free_bytes) / disk.total_bytes);
  const facts: [name: string, value: string, isWrong?: boolean][] = [
    ['Linework', versions.program],
    ['Node', versions.node.replace(/^v/, '')],
    ['PostgreSQL', versions.postgres],
    ['Last migration', versions.migration.replace(/\.sql$/, '')],
    [
      'Disk',
      `${formatBytes(disk.free_bytes)} of ${formatBytes(disk.total_bytes)} free (${freePercent}%)`,
    ],
    [
      'Mail',
      sends_mail
        ? formatMailState(troubles)
        : 'Saved, not sent. Set SMTP_URL, and try it with `npm run mail:test`.',
      !sends_mail || troubles.new_failed_mails + troubles.retried_mails > 0,
    ],
    [
      'Last backup',
      backup === null
        ? 'Never. Set BACKUP_DIR for one each night, or run `npm run backup -- FILE`.'
        : `${formatShortDateAndTime(backup.finished_at, zone)}: ${backup.file}, ${formatBytes(backup.bytes)}${backup.is_old ? '. It is older than a day: look for the reason in the log, and make one now.' : ''}`,
      backup?.is_old ?? true,
    ],
  ];
  return (
    <dl className="card grid grid-cols-1 gap-x-6 gap-y-3 p-5 wrap-anywhere sm:grid-cols-[10rem_minmax(0,1fr)]">
      {facts.map(([name, value, isWrong]) => (
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

function formatMailState(troubles: ServerState['troubles']): string {
  const { failed_mails, new_failed_mails, retried_mails } = troubles;
  if (failed_mails + retried_mails === 0) return 'Handed to the mail server';
  return [
    'Handed to the mail server.',
    retried_mails > 0 && `${pluralize(retried_mails, 'mail')} not accepted yet, to be tried again.`,
    failed_mails > 0 &&
      `${pluralize(failed_mails, 'mail')} failed, ${new_failed_mails} of them within 24 hours.`,
  ]
    .filter(Boolean)
    .join(' ');
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
  if (error.length + warning.length === 0) return `All ${findings.length} checks passed.`;
  const parts = [
    error.length > 0 && pluralize(error.length, 'error'),
    warning.length > 0 && pluralize(warning.length, 'warning'),
  ];
  return `${parts.filter(Boolean).join(' and ')} in ${findings.length} checks.`;
}

/** Findings of the doctor: errors, then warnings; the parts without trouble are folded. */
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

/** A text with code between backticks, such as a command. */
function TextWithCode({ text }: { text: string }) {
  // The pattern captures, so every second part is code.
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
