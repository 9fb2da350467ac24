// The buttons and links of the studio.
import { type ComponentProps, type ReactElement, useState } from 'react';
import { BusyButton } from '../forms/BusyButton.tsx';
import { Icon, type IconName } from './Icon.tsx';

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

const LOOK_CLASSES = {
  default: 'button',
  main: 'button button-main',
  quiet: 'button button-quiet',
  danger: 'button button-danger',
  // These two have no border, and are high enough for a finger.
  link: 'link inline-flex min-h-11 cursor-pointer items-center',
  text: 'inline-flex min-h-11 cursor-pointer items-center gap-1.5 rounded-md px-2 font-semibold text-muted hover:text-ink [&>svg]:size-4',
};

interface LookProps {
  look?: keyof typeof LOOK_CLASSES | undefined;
  className?: string | undefined;
}

function classOf({ look = 'default', className = '' }: LookProps): string {
  return `${LOOK_CLASSES[look]} ${className}`.trimEnd();
}

type ButtonProps = LabelProps & LookProps & ComponentProps<'button'> & { icon?: IconName | false };

export function Button(props: ButtonProps) {
  const { icon, label, labelEnd, look, className, ...attributes } = props;
  return (
    <button type="button" {...attributes} className={classOf(props)}>
      {icon && <Icon name={icon} />}
      <Label label={label} labelEnd={labelEnd} />
    </button>
  );
}

type DialogButtonProps = ButtonProps & {
  dialog: (onClose: () => void) => ReactElement;
};

export function DialogButton({ dialog, ...button }: DialogButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setIsOpen(true)} />
      {isOpen && dialog(() => setIsOpen(false))}
    </>
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

/**
 * For several `BusyButton`s: while the action of one runs, the others are disabled.
 * @returns a function that returns a button's props, by its name among them; `act` must not reject
 */
export function useOneAction() {
  const [running, setRunning] = useState<string | null>(null);
  return (name: string, act: () => unknown) => ({
    busy: running === name,
    disabled: running !== null,
    async onClick() {
      setRunning(name);
      await act();
      setRunning(null);
    },
  });
}

/** A link that looks like a button, by default. */
export function ButtonLink(props: LabelProps & LookProps & ComponentProps<'a'>) {
  const { label, labelEnd, look, className, ...attributes } = props;
  return (
    <a {...attributes} className={classOf(props)}>
      <Label label={label} labelEnd={labelEnd} />
    </a>
  );
}

export function LinkButton(props: LabelProps & ComponentProps<'button'>) {
  return <Button {...props} look="link" />;
}

/** A link that looks like one, and is high enough for a finger. */
export function TextLink(props: LabelProps & ComponentProps<'a'>) {
  return <ButtonLink {...props} look="link" />;
}
