/** The frames of an error's stack, from the innermost, without the message before them. */
export function stackFrames(stack: string): readonly string[] {
  return (stack.match(/^ +at .*$/gm) ?? []).map((frame) => frame.trim());
}

/** The frames of our own code: without those of packages and of Node, unless there are no others. */
export function ownFrames(frames: readonly string[]): readonly string[] {
  const own = frames.filter((frame) => !/\/node_modules\/|[ (]node:/.test(frame));
  return own.length > 0 ? own : frames;
}
