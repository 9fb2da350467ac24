/** How clients book: `service`: they choose a free time; `managed`: they ask, the artist sets one. */
export const SCHEDULING_TYPES = ['service', 'managed'] as const;
export type SchedulingType = (typeof SCHEDULING_TYPES)[number];

/** Which email the artist's page shows. With `none`, clients write by the contact form. */
export const PUBLIC_EMAIL_KINDS = ['account', 'other', 'none'] as const;
export type PublicEmailKind = (typeof PUBLIC_EMAIL_KINDS)[number];
