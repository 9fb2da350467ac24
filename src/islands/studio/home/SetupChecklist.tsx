import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { nextSetupStep, type SetupItem } from '#domain/studio/setup_checklist.ts';
import { $setup, $setupProgress, markPageSeen } from '#stores/studio/home.ts';
import { artistPageUrl, ownPagePath } from '../appointments/labels.ts';
import { ButtonLink, LinkButton, TextLink } from '../buttons.tsx';
import { CopyButton } from '../CopyButton.tsx';
import { Icon } from '../Icon.tsx';
import { Loading, QueryView } from '../LoadableView.tsx';
import { SchedulingTypePicker } from './SchedulingTypePicker.tsx';

/** The steps towards a first booking; once all are done, the address to share. */
export function SetupChecklist({ me }: { me: CurrentArtist }) {
  const items = useStore($setup);
  return (
    <QueryView query={$setupProgress} label="checklist">
      {() => (items ? <Checklist me={me} items={items} /> : <Loading label="checklist" />)}
    </QueryView>
  );
}

function Checklist({ me, items }: { me: CurrentArtist; items: readonly SetupItem[] }) {
  const nextStep = nextSetupStep(items);
  const address = artistPageUrl(me);
  // The banner about the subscription already says why an artist takes no bookings.
  if (nextStep === null && !me.taking_bookings) return null;
  if (nextStep === null)
    return (
      <section
        aria-labelledby="open-for-bookings"
        className="card flex flex-wrap items-center justify-between gap-4 border-l-4 border-l-success p-5"
      >
        <div className="min-w-0">
          <h2 id="open-for-bookings" className="text-xl">
            You are open for bookings
          </h2>
          <TextLink label={address} className="wrap-anywhere" href={address} />
        </div>
        <CopyButton text={address} label="Copy link" />
      </section>
    );
  return (
    <section aria-labelledby="setup" className="card p-5 sm:p-6">
      <h2 id="setup" className="text-2xl">
        Get ready for your first booking
      </h2>
      <p className="mt-1 text-muted">{formatStepsLeft(items)}</p>
      <ol className="mt-5 grid">
        {items.map((item) => (
          <ChecklistItem key={item.step} me={me} {...item} isNext={item.step === nextStep} />
        ))}
      </ol>
    </section>
  );
}

/** Says how many steps are left. Until the first one is done, the number of the others is not known. */
function formatStepsLeft(items: readonly SetupItem[]): string {
  if (nextSetupStep(items) === 'scheduling') return 'The next steps depend on how clients book.';
  const openCount = items.filter(({ isDone }) => !isDone).length;
  return openCount === 1 ? 'One step left.' : `${openCount} steps left.`;
}

const MARKS = {
  done: { className: 'border-success text-success', text: 'Done:' },
  next: { className: 'border-main', text: 'Next:' },
  later: { className: 'border-line', text: 'To do:' },
};

interface ChecklistItemProps extends SetupItem {
  me: CurrentArtist;
  isNext: boolean;
}

function ChecklistItem({ me, step, isDone, isNext }: ChecklistItemProps) {
  const { title, why } = STEP_LABELS[step];
  const markIfOpen = isNext ? MARKS.next : MARKS.later;
  const mark = isDone ? MARKS.done : markIfOpen;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 border-t border-line py-4 first:border-t-0">
      <span
        className={`mt-0.5 grid size-7 place-items-center rounded-full border-2 ${mark.className}`}
      >
        {isDone && <Icon name="check" className="size-4" />}
        <span className="sr-only">{mark.text}</span>
      </span>
      <div>
        <h3 className="font-sans text-lg font-semibold">{title}</h3>
        {!isDone && <p className="text-muted">{why}</p>}
        <StepAction me={me} step={step} isDone={isDone} isNext={isNext} />
      </div>
    </li>
  );
}

function StepAction({ me, step, isDone, isNext }: ChecklistItemProps) {
  const [isChanging, setChanging] = useState(false);
  const { action, href = ownPagePath(me) } = STEP_LABELS[step];
  if (step === 'scheduling') {
    if (!isDone || isChanging)
      return (
        // On a phone the picker needs the width of the mark's column too.
        <div className="max-sm:-ml-11">
          <SchedulingTypePicker current={me.scheduling_type} onDone={() => setChanging(false)} />
        </div>
      );
    return (
      <p className="flex flex-wrap items-center gap-x-3 text-muted">
        <span>
          {me.scheduling_type === 'managed'
            ? 'They send a request, you set the time.'
            : 'They book open times themselves.'}
        </span>
        <LinkButton label={action} labelEnd=" how clients book" onClick={() => setChanging(true)} />
      </p>
    );
  }
  if (isDone) return null;
  return (
    <ButtonLink
      label={action}
      look={isNext ? 'main' : 'link'}
      className={isNext ? 'mt-3' : ''}
      href={href}
      onClick={() => {
        if (step === 'page') markPageSeen(me);
      }}
    />
  );
}

interface StepLabels {
  title: string;
  why: string;
  action: string;
  /** Of the page where the step is done: by default the artist's public page. */
  href?: string;
}

const STEP_LABELS: Record<SetupItem['step'], StepLabels> = {
  scheduling: {
    title: 'How clients book',
    why: 'Choose what fits your work. You can change it later.',
    action: 'Change',
  },
  hours: {
    title: 'Opening hours',
    why: 'Clients can only pick times inside them.',
    action: 'Set your hours',
    href: '/studio/hours',
  },
  service: {
    title: 'A service',
    why: 'What clients pick a time for, such as “Small flash, 60 minutes”.',
    action: 'Add a service',
    href: '/studio/services',
  },
  design: {
    title: 'A design',
    why: 'What clients ask for: flash that is still to be had.',
    action: 'Add designs',
    href: '/studio/designs',
  },
  avatar: {
    title: 'A picture of you',
    why: 'It stands at the top of your page.',
    action: 'Add a picture',
    href: '/studio/profile',
  },
  page: {
    title: 'A look at your page',
    why: 'See what clients see before you share it.',
    action: 'View your page',
  },
};
