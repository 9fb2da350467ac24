// The buttons and links of the studio.
import { type ComponentProps, useState } from 'react';
import { BusyButton } from '../forms/BusyButton.tsx';

interface LabelProps {
  label: string;
  /** Added to the label for screen readers. */
  labelEnd?: string | undefined;
}

function Label({ label, labelEnd }: LabelProps) {
  return (
    <>
      <span>{label}</span>
      {labelEnd && <span className="sr-only">{labelEnd}</span>}
    </>
  );
}

interface LookProps {
  look?: 'main' | 'quiet' | 'danger';
  className?: string;
}

function classOf({ look, className }: LookProps): string {
  return ['button', look && `button-${look}`, className].filter(Boolean).join(' ');
}

export function Button(props: LabelProps & LookProps & ComponentProps<'button'>) {
  const { label, labelEnd, look, className, ...attributes } = props;
  return (
    <button type="button" {...attributes} className={classOf(props)}>
      <Label label={label} labelEnd={labelEnd} />
    </button>
  );
}

type ActionButtonProps = LabelProps &
  LookProps &
  Omit<ComponentProps<typeof BusyButton>, 'busy' | 'onClick' | 'children'> & {
    /** Must not reject. */
    onAct: () => Promise<unknown>;
  };

/** A button that is busy while its action runs. */
export function ActionButton(props: ActionButtonProps) {
  const { label, labelEnd, look, className, onAct, ...attributes } = props;
  const [isBusy, setIsBusy] = useState(false);
  async function act(): Promise<void> {
    setIsBusy(true);
    await onAct();
    setIsBusy(false);
  }
  return (
    <BusyButton {...attributes} busy={isBusy} className={classOf(props)} onClick={act}>
      <Label label={label} labelEnd={labelEnd} />
    </BusyButton>
  );
}

/** A link that looks like a button. */
export function ButtonLink(props: LabelProps & LookProps & ComponentProps<'a'>) {
  const { label, labelEnd, look, className, ...attributes } = props;
  return (
    <a {...attributes} className={classOf(props)}>
      <Label label={label} labelEnd={labelEnd} />
    </a>
  );
}

const LINK_CLASS = 'link inline-flex min-h-11 items-center';

/** A button that looks like a link. */
export function LinkButton(props: LabelProps & ComponentProps<'button'>) {
  const { label, labelEnd, className = '', ...attributes } = props;
  return (
    <button type="button" {...attributes} className={`${LINK_CLASS} cursor-pointer ${className}`}>
      <Label label={label} labelEnd={labelEnd} />
    </button>
  );
}

/** A link that is high enough for a finger. */
export function TextLink(props: LabelProps & ComponentProps<'a'>) {
  const { label, labelEnd, className = '', ...attributes } = props;
  return (
    <a {...attributes} className={`${LINK_CLASS} ${className}`}>
      <Label label={label} labelEnd={labelEnd} />
    </a>
  );
}
