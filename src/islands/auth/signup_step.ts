import { useEffect, useState } from 'react';

export type SignupStep = 'account' | 'studio';

/** The visible step. The second one is an entry of the browser's history, so "back" leaves it. */
export function useSignupStep() {
  const [step, setStep] = useState<SignupStep>('account');
  useEffect(() => {
    // A reload on the entry of the second step starts with the first one.
    if (history.state === 'studio') history.replaceState(null, '');
    const onPopState = ({ state }: PopStateEvent) =>
      setStep(state === 'studio' ? 'studio' : 'account');
    addEventListener('popstate', onPopState);
    return () => removeEventListener('popstate', onPopState);
  }, []);

  function showStep(next: SignupStep): void {
    if (next === step) return;
    setStep(next);
    if (next === 'studio') history.pushState('studio', '');
    else if (history.state === 'studio') history.back();
  }
  return { step, showStep };
}
