const TYPING_PAUSE_MS = 300;

/** Returns a function that is called on every typed letter, and runs `apply` once the typing pauses. */
export function whenTypingPauses(apply: (text: string) => void): (text: string) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (text) => {
    clearTimeout(timer);
    timer = setTimeout(() => apply(text), TYPING_PAUSE_MS);
  };
}
