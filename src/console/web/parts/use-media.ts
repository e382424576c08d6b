import { useLayoutEffect, useState } from 'preact/hooks'

/** Whether a media query matches, now and after every change. On paper, as before: what is then shown anew would load first, and be blank. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useLayoutEffect(() => {
    const list = matchMedia(query)
    const look = () => matchMedia('print').matches || setMatches(list.matches)
    look()
    list.addEventListener('change', look)
    return () => list.removeEventListener('change', look)
  }, [query])
  return matches
}
