import { useEffect, useState } from 'react';

export type Step = 'account' | 'studio';

const STUDIO = 'studio';

/** Which step is shown; the browser's own way back leads from the second to the first. */
export function useStep() {
  const [step, setStep] = useState<Step>('account');
  useEffect(() => {
    // A reload begins anew, with the first step: no way back leads to it from there.
    if (history.state === STUDIO) history.replaceState(null, '');
    const follow = ({ state }: PopStateEvent) => setStep(state === STUDIO ? 'studio' : 'account');
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);

  function show(wanted: Step): void {
    if (wanted === step) return;
    setStep(wanted);
    if (wanted === 'studio') history.pushState(STUDIO, '');
    else if (history.state === STUDIO) history.back();
  }
  return { step, show };
}
