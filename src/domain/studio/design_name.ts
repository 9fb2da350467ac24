const FILE_EXTENSION = /\.[a-z0-9]{1,5}$/i;
const SEPARATORS = /[\s_\-.+]+/g;
/** The words that cameras, phones and other programs put into their file names. */
const GENERIC_WORD =
  /^(?:img|image|dsc|dscn|dscf|pxl|mvimg|photo|foto|picture|bild|grafik|artwork|fullsizerender|scan|whatsapp|signal|snapchat|received|download|at|[ap]m|copy|file|unknown|unnamed|untitled|ohne|titel|(?:img|image|dsc|dscn|dscf|wa)?\(?\d+\)?|[0-9a-f]{4,})$/i;
/** A screenshot's name may go on with that of the program that was on the screen. */
const SCREENSHOT = /^(?:screen ?shot|bildschirmfoto)/i;
/** In characters, as the API requires. */
const MAX_LENGTH = 80;
const NO_NAME = 'New design';

/** Whether a design still has the name that it got because its file's name says nothing. */
export function isUnnamed(name: string): boolean {
  return name === NO_NAME;
}

/**
 * A design's first name, from its file name: `swallow_02.jpg` becomes `Swallow 02`, and
 * `IMG_2041.JPG` becomes `New design`. At most `MAX_LENGTH` characters.
 */
export function designNameFromFile(fileName: string): string {
  const words = fileName.replace(FILE_EXTENSION, '').replace(SEPARATORS, ' ').trim();
  const isGeneric = words.split(' ').every((word) => word === '' || GENERIC_WORD.test(word));
  if (isGeneric || SCREENSHOT.test(words)) return NO_NAME;
  return (words.slice(0, 1).toLocaleUpperCase('en') + words.slice(1)).slice(0, MAX_LENGTH).trim();
}
