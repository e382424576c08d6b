import { useState } from 'preact/hooks'

/** Whose work the home page shows. */
type HomeScope = 'mine' | 'everyone'

const storageKey = 'kontor.home'

/** The choice that this browser remembers. */
export function useHomeScope(): [HomeScope, (scope: HomeScope) => void] {
  const [scope, setScope] = useState(remembered)
  const choose = (chosen: HomeScope) => {
    setScope(chosen)
    try {
      localStorage.setItem(storageKey, chosen)
    } catch {
      // A browser without storage forgets the choice with the page.
    }
  }
  return [scope, choose]
}

function remembered(): HomeScope {
  try {
    return localStorage.getItem(storageKey) === 'mine' ? 'mine' : 'everyone'
  } catch {
    return 'everyone'
  }
}
