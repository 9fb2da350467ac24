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

/** What is agreed about an appointment with an artist who has no prices. */
export const NO_TERMS = { price: null, deposit: null, booking_policy: '' };
