import type { SchedulingType } from './artist.ts';

/** What is known of an artist who gets ready for clients. */
export interface SetupState {
  readonly schedulingType: SchedulingType | null;
  readonly hasAvatar: boolean;
  /** Whether any day has opening hours. */
  readonly hasHours: boolean;
  /** Whether clients can pick at least one service. */
  readonly hasService: boolean;
  /** Whether at least one design is on the wall. */
  readonly hasDesign: boolean;
  /** Whether the artist has looked at their own page. */
  readonly hasSeenPage: boolean;
}

export type SetupStep = 'scheduling' | 'hours' | 'service' | 'design' | 'avatar' | 'page';

export interface SetupItem {
  readonly step: SetupStep;
  readonly isDone: boolean;
}

/**
 * What an artist does before clients come, in order. Hours and services matter only where clients
 * pick a listed time; designs only where they ask for one.
 */
export function setupChecklist(facts: SetupState): SetupItem[] {
  const { schedulingType } = facts;
  const items: SetupItem[] = [{ step: 'scheduling', isDone: schedulingType !== null }];
  if (schedulingType === 'service')
    items.push(
      { step: 'hours', isDone: facts.hasHours },
      { step: 'service', isDone: facts.hasService },
    );
  if (schedulingType === 'managed') items.push({ step: 'design', isDone: facts.hasDesign });
  return [
    ...items,
    { step: 'avatar', isDone: facts.hasAvatar },
    { step: 'page', isDone: facts.hasSeenPage },
  ];
}

/** What is left to do first; null when everything is done. */
export function nextSetupStep(items: readonly SetupItem[]): SetupStep | null {
  return items.find(({ isDone }) => !isDone)?.step ?? null;
}
