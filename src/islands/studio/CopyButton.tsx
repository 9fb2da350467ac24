import { useState } from 'react';
import { copyText } from '#stores/studio/clipboard.ts';
import { Icon } from './Icon.tsx';

interface CopyButtonProps {
  /** What is put on the clipboard. */
  text: string;
  /** What the button says, such as `Copy link`. */
  label: string;
  className?: string;
}

/** Puts something on the clipboard and says that it did. */
export function CopyButton({ text, label, className = 'button' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);

  return (
    <>
      <button
        type="button"
        className={className}
        onClick={async () => setCopied(await copyText(text))}
        onBlur={() => setCopied(false)}
      >
        {copied && <Icon name="check" />}
        {copied ? 'Copied' : label}
      </button>
      <span role="status" className="sr-only">
        {copied && 'Copied'}
      </span>
    </>
  );
}
