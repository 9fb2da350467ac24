/** Longer than most people need for the next letter. */
const TYPING_PAUSE_MS = 300;

/**
 * Returns a function that is called on every typed letter, and runs `apply` once the typing pauses. Its
 * `cancel` forgets the text typed since the last pause.
 */
export function whenTypingPauses(apply: (text: string) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => clearTimeout(timer);
  const type = (text: string) => {
    cancel();
    timer = setTimeout(() => apply(text), TYPING_PAUSE_MS);
  };
  return Object.assign(type, { cancel });
}
