import { useEffect, useState } from 'preact/hooks'

/** The token of a link, after the `#` of the address. A newer link that is opened in the same tab loads no page: only the token changes. */
export function useToken(): string {
  const [token, setToken] = useState(location.hash.slice(1))
  useEffect(() => {
    const take = () => setToken(location.hash.slice(1))
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return token
}
