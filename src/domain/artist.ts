/** How clients book: they pick a listed time, or they ask and the artist sets one. */
export const SCHEDULING_TYPES = ['service', 'managed'] as const;
export type SchedulingType = (typeof SCHEDULING_TYPES)[number];
