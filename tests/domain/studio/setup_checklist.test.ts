import { expect, test } from 'vitest';
import { nextSetupStep, type SetupState, setupChecklist } from '#domain/studio/setup_checklist.ts';

const NOTHING: SetupState = {
  schedulingType: null,
  hasAvatar: false,
  hasHours: false,
  hasService: false,
  hasDesign: false,
  hasSeenPage: false,
};

test.each<[string, Partial<SetupState>, string[], string | null]>([
  ['the first question is how clients book', {}, ['scheduling', 'avatar', 'page'], 'scheduling'],
  [
    'where clients choose a time, hours and a service are required, but no design',
    { schedulingType: 'service', hasHours: true, hasDesign: true },
    ['scheduling done', 'hours done', 'service', 'avatar', 'page'],
    'service',
  ],
  [
    'where clients send requests, designs are required, but neither hours nor a service',
    { schedulingType: 'managed', hasService: true, hasSeenPage: true },
    ['scheduling done', 'design', 'avatar', 'page done'],
    'design',
  ],
  [
    'the last step is a look at the public page',
    { schedulingType: 'managed', hasDesign: true, hasAvatar: true },
    ['scheduling done', 'design done', 'avatar done', 'page'],
    'page',
  ],
  [
    'the list is complete when all steps are done',
    { schedulingType: 'managed', hasDesign: true, hasAvatar: true, hasSeenPage: true },
    ['scheduling done', 'design done', 'avatar done', 'page done'],
    null,
  ],
])('%s', (_title, state, steps, next) => {
  const items = setupChecklist({ ...NOTHING, ...state });
  expect(items.map(({ step, isDone }) => (isDone ? `${step} done` : step))).toEqual(steps);
  expect(nextSetupStep(items)).toBe(next);
});
