import type { SchedulingType } from '#domain/studio/artist.ts';
import { setSchedulingType } from '#stores/studio/home.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { useOneAction } from '../buttons.tsx';

export const SCHEDULING_TYPE_LABELS = [
  {
    type: 'service',
    title: 'Clients book open times themselves',
    text: 'You set your hours and services. They pick a listed time, and it is on your calendar as soon as they confirm.',
  },
  {
    type: 'managed',
    title: 'Clients send a request, you set the time',
    text: 'They tell you about their tattoo. You look at it, then offer a time or decline.',
  },
] as const satisfies readonly { type: SchedulingType; title: string; text: string }[];

interface SchedulingTypePickerProps {
  current: SchedulingType | null;
  /** Called when a type is saved, or the current one is kept. */
  onDone: () => void;
}

export function SchedulingTypePicker({ current, onDone }: SchedulingTypePickerProps) {
  const buttonProps = useOneAction();

  async function choose(type: SchedulingType): Promise<void> {
    if (type === current || (await setSchedulingType(type))) onDone();
  }

  return (
    <ul className="mt-4 grid gap-4 wrap-anywhere sm:grid-cols-2">
      {SCHEDULING_TYPE_LABELS.map(({ type, title, text }) => (
        <li key={type} className="flex flex-col gap-2 rounded-lg border border-field p-4">
          <p className="font-semibold">{title}</p>
          <p className="mb-2 flex-1 text-muted">{text}</p>
          <BusyButton
            {...buttonProps(type, () => choose(type))}
            className={current === null ? 'button button-main' : 'button'}
          >
            <span>{type === current ? 'Keep this' : 'Choose this'}</span>
            <span className="sr-only">{`: ${title}`}</span>
          </BusyButton>
        </li>
      ))}
    </ul>
  );
}
