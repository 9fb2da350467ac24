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

function steps(facts: SetupState): string[] {
  return setupChecklist(facts).map(({ step, isDone }) => (isDone ? `${step} done` : step));
}

function next(facts: Partial<SetupState>): string | null {
  return nextSetupStep(setupChecklist({ ...NOTHING, ...facts }));
}

describe('what is left before clients come', () => {
  test('someone new chooses first how clients book', () => {
    expect(steps(NOTHING)).toEqual(['scheduling', 'avatar', 'page']);
    expect(next({})).toBe('scheduling');
  });

  test('where clients pick times, hours and a service are needed, and no design', () => {
    expect(steps({ ...NOTHING, schedulingType: 'service', hasHours: true })).toEqual([
      'scheduling done',
      'hours done',
      'service',
      'avatar',
      'page',
    ]);
  });

  test('where clients send requests, designs are needed, and neither hours nor a service', () => {
    expect(steps({ ...NOTHING, schedulingType: 'managed', hasSeenPage: true })).toEqual([
      'scheduling done',
      'design',
      'avatar',
      'page done',
    ]);
  });

  test.each([
    ['hours come before the service', { schedulingType: 'service' }, 'hours'],
    ['then the service', { schedulingType: 'service', hasHours: true }, 'service'],
    [
      'designs of one who lists times count for nothing',
      { schedulingType: 'service', hasHours: true, hasDesign: true },
      'service',
    ],
    [
      'services of one who sets times count for nothing',
      { schedulingType: 'managed', hasService: true },
      'design',
    ],
    [
      'a look at the page comes last',
      { schedulingType: 'managed', hasDesign: true, hasAvatar: true },
      'page',
    ],
  ] as const)('%s', (_name, facts, step) => {
    expect(next(facts)).toBe(step);
  });

  test.each(['service', 'managed'] as const)(
    'nothing is left of %s when all is done',
    (schedulingType) => {
      const all = {
        hasAvatar: true,
        hasHours: true,
        hasService: true,
        hasDesign: true,
        hasSeenPage: true,
      };
      expect(next({ ...all, schedulingType })).toBeNull();
    },
  );
});
