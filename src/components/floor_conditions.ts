// Which browsers are supported (docs/decisions/0072), as conditions in inline scripts. Each names the newest
// features that the oldest supported browsers have. Older browsers must be able to parse them.

/** Safari 16.4 is the first with `CompressionStream`, Firefox 115 with `toSorted`, Chrome 111 with `lch()`. */
export const CLIENT_FLOOR =
  "[].toSorted && self.CompressionStream && CSS.supports('color', 'lch(0 0 0)')";

/** Safari 17.5 and Chrome 123 are the first with `light-dark()`, Firefox 128 with `registerProperty`. */
export const STUDIO_FLOOR = "CSS.registerProperty && CSS.supports('color', 'light-dark(red,red)')";
