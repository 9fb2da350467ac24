/** How clients book: `service`: they choose a free time; `managed`: they ask, the artist sets one. */
export const SCHEDULING_TYPES = ['service', 'managed'] as const;
export type SchedulingType = (typeof SCHEDULING_TYPES)[number];
