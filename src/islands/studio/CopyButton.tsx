import { useState } from 'react';
import { showErrorToast } from '#stores/toasts.ts';
import { Button } from './buttons.tsx';

interface CopyButtonProps {
  text: string;
  label: string;
  look?: 'main';
}

/** Copies a text to the clipboard, then reads "Copied" until the button loses the focus. */
export function CopyButton({ text, label, look }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  return (
    <>
      <Button
        label={copied ? 'Copied' : label}
        icon={copied && 'check'}
        look={look}
        onClick={async () => setCopied(await copyText(text))}
        onBlur={() => setCopied(false)}
      />
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
