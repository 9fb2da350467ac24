import type { SchedulingType } from './artist.ts';

/** The facts about an artist that decide which setup steps are done. */
export interface SetupState {
  readonly schedulingType: SchedulingType | null;
  readonly hasAvatar: boolean;
  readonly hasHours: boolean;
  /** Whether clients can choose at least one service. */
  readonly hasService: boolean;
  /** Whether at least one design is available to clients. */
  readonly hasDesign: boolean;
  readonly hasSeenPage: boolean;
}

type SetupStep = 'scheduling' | 'hours' | 'service' | 'design' | 'avatar' | 'page';

export interface SetupItem {
  readonly step: SetupStep;
  readonly isDone: boolean;
}

/**
 * The steps before an artist can take clients, in order. Hours and services are steps only where
 * clients choose a free time, designs only where clients request one.
 */
export function setupChecklist(state: SetupState): SetupItem[] {
  const items: SetupItem[] = [{ step: 'scheduling', isDone: state.schedulingType !== null }];
  if (state.schedulingType === 'service') {
    items.push({ step: 'hours', isDone: state.hasHours });
    items.push({ step: 'service', isDone: state.hasService });
  }
  if (state.schedulingType === 'managed') items.push({ step: 'design', isDone: state.hasDesign });
  items.push({ step: 'avatar', isDone: state.hasAvatar });
  items.push({ step: 'page', isDone: state.hasSeenPage });
  return items;
}

/** The first step that is not done; null when all are. */
export function nextSetupStep(items: readonly SetupItem[]): SetupStep | null {
  return items.find(({ isDone }) => !isDone)?.step ?? null;
}
