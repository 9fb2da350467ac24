import { describe, expect, test } from 'vitest';
import { nextSetupStep, type SetupState, setupChecklist } from '#domain/setup_checklist.ts';

const NOTHING: SetupState = {
  schedulingType: null,
  hasAvatar: false,
  hasHours: false,
  hasService: false,
  hasDesign: false,
  hasSeenPage: false,
};

function steps(state: SetupState): string[] {
  return setupChecklist(state).map(({ step, isDone }) => (isDone ? `${step} done` : step));
}

function nextStep(state: Partial<SetupState>): string | null {
  return nextSetupStep(setupChecklist({ ...NOTHING, ...state }));
}

describe('the setup checklist', () => {
  test('first asks a new artist how clients book', () => {
    expect(steps(NOTHING)).toEqual(['scheduling', 'avatar', 'page']);
    expect(nextStep({})).toBe('scheduling');
  });

  test('requires hours and a service, but no design, where clients choose a time', () => {
    expect(steps({ ...NOTHING, schedulingType: 'service', hasHours: true })).toEqual([
      'scheduling done',
      'hours done',
      'service',
      'avatar',
      'page',
    ]);
  });

  test('requires designs, but no hours and no service, where clients send requests', () => {
    expect(steps({ ...NOTHING, schedulingType: 'managed', hasSeenPage: true })).toEqual([
      'scheduling done',
      'design',
      'avatar',
      'page done',
    ]);
  });

  test.each([
    ['first requires opening hours', { schedulingType: 'service' }, 'hours'],
    ['then requires a service', { schedulingType: 'service', hasHours: true }, 'service'],
    [
      'ignores designs where clients choose a time',
      { schedulingType: 'service', hasHours: true, hasDesign: true },
      'service',
    ],
    [
      'ignores services where clients send requests',
      { schedulingType: 'managed', hasService: true },
      'design',
    ],
    [
      'ends with a look at the public page',
      { schedulingType: 'managed', hasDesign: true, hasAvatar: true },
      'page',
    ],
  ] as const)('%s', (_title, state, step) => {
    expect(nextStep(state)).toBe(step);
  });

  test.each(['service', 'managed'] as const)(
    'is complete for %s when all steps are done',
    (schedulingType) => {
      const allDone = {
        hasAvatar: true,
        hasHours: true,
        hasService: true,
        hasDesign: true,
        hasSeenPage: true,
      };
      expect(nextStep({ ...allDone, schedulingType })).toBeNull();
    },
  );
});
