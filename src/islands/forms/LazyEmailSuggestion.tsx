import { useEffect, useState } from 'react';

interface LazyEmailSuggestionProps {
  /** The address when its field lost the focus; '' from the next change on. */
  email: string;
  /** Puts the suggestion into the field, and the focus, too: the button disappears. */
  onTakeOver: (suggestion: string) => void;
}

/**
 * Suggests the likely address when the domain looks mistyped. It is not an error, and blocks nothing. The
 * code is loaded with the first address; without it, nothing is suggested.
 */
export function LazyEmailSuggestion(props: LazyEmailSuggestionProps) {
  const [code, setCode] = useState<typeof import('./EmailSuggestion.tsx') | null>(null);
  const isAddress = props.email.includes('@');
  useEffect(() => {
    if (isAddress) import('./EmailSuggestion.tsx').then(setCode, () => {});
  }, [isAddress]);
  // High enough for the button: when it appears, it must not move the one that is being clicked.
  return (
    <div role="status" className="min-h-11">
      {code && <code.EmailSuggestion {...props} />}
    </div>
  );
}
