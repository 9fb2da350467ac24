import type { Design } from '#contract/design.ts';

/** A design of which nothing but its name and picture is known. */
export const NO_DESIGN_FACTS = {
  price: null,
  duration: null,
  service_id: null,
  width_mm: null,
  height_mm: null,
  placements: [],
  color: null,
  editions: null,
  left: null,
};

/** A design without facts. */
export function createDesign(id: string, changes: Partial<Design> = {}): Design {
  const file_url = `/media/${id}/1200.webp`;
  const size = { width: 1200, height: 1600 };
  const image = { id, file_url, title: 'Swallow', ...size, sources: [], placeholder: null };
  const named = { id, name: 'Swallow', description: '', status: 'available', image } as const;
  return { ...named, ...NO_DESIGN_FACTS, ...changes };
}

/** What is agreed about an appointment with an artist who has no prices. */
export const NO_TERMS = { price: null, deposit: null, booking_policy: '' };
