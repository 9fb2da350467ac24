import { type ComponentProps, useState } from 'react';
import { BusyButton } from '../forms/BusyButton.tsx';

type ActionButtonProps = Omit<ComponentProps<typeof BusyButton>, 'busy' | 'onClick'> & {
  /** Must not reject. */
  onAct: () => Promise<unknown>;
};

/** A button that is busy while its action runs. */
export function ActionButton({ onAct, ...attributes }: ActionButtonProps) {
  const [isBusy, setIsBusy] = useState(false);
  async function act(): Promise<void> {
    setIsBusy(true);
    await onAct();
    setIsBusy(false);
  }
  return <BusyButton {...attributes} busy={isBusy} onClick={act} />;
}
