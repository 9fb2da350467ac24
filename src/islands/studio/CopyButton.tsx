import { useState } from 'react';
import { copyText } from '#stores/studio/clipboard.ts';
import { Icon } from './Icon.tsx';

interface CopyButtonProps {
  text: string;
  label: string;
  className?: string;
}

/** Copies a text to the clipboard, then reads "Copied" until the button loses the focus. */
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
        <span>{copied ? 'Copied' : label}</span>
      </button>
      <span role="status" className="sr-only">
        {copied && 'Copied'}
      </span>
    </>
  );
}
