import { useState } from 'react';
import { showErrorToast } from '#stores/toasts.ts';
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

/** Copies a text; where the browser forbids that, shows the text. @returns whether it was copied */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    showErrorToast('It could not be copied.', `Copy it by hand: ${text}`);
    return false;
  }
}
