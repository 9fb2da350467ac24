import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { pathAfterLogin } from '#stores/auth/redirect_after_login.ts';
import { $token } from '#stores/session.ts';
import { useHydrated } from '../browser.ts';

/** Redirects an artist who logs in, here or in another tab. @returns whether the page is hydrated */
export function useRedirectIfLoggedIn(): boolean {
  const token = useStore($token);
  const isHydrated = useHydrated();
  useEffect(() => {
    if (isHydrated && token) location.replace(pathAfterLogin(location.search));
  }, [isHydrated, token]);
  return isHydrated;
}
