import { useEffect, useState } from 'react';

export type SignupStep = 'account' | 'studio';

const STUDIO_STEP = 'studio';

/** Which step is shown; the browser's own way back leads from the second to the first. */
export function useSignupStep() {
  const [step, setStep] = useState<SignupStep>('account');
  useEffect(() => {
    // A reload begins anew, with the first step: no way back leads to it from there.
    if (history.state === STUDIO_STEP) history.replaceState(null, '');
    const follow = ({ state }: PopStateEvent) =>
      setStep(state === STUDIO_STEP ? 'studio' : 'account');
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);

  function show(wanted: SignupStep): void {
    if (wanted === step) return;
    setStep(wanted);
    if (wanted === 'studio') history.pushState(STUDIO_STEP, '');
    else if (history.state === STUDIO_STEP) history.back();
  }
  return { step, show };
}
