import { Fragment } from 'react';

/** A text in which what stands between backticks is code, such as a command. */
export function TextWithCode({ text }: { text: string }) {
  // The pattern captures, so every second part is code.
  const parts = text.split(/`([^`]+)`/);
  return parts.map((part, index) => {
    const key = `${index} ${part}`;
    if (index % 2 === 0) return <Fragment key={key}>{part}</Fragment>;
    return (
      <code key={key} className="font-mono text-[0.9em]">
        {part}
      </code>
    );
  });
}
