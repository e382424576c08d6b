type Place = 'localStorage' | 'sessionStorage'

/** What this browser, or this window, remembers under a name. A browser that may not store anything remembers nothing, and nothing fails. */
export function recall(name: string, place: Place = 'localStorage'): string | null {
  try {
    return globalThis[place].getItem(name)
  } catch {
    return null
  }
}

/** Remembers a text; undefined: forgets it. Returns whether the browser has done so. */
export function remember(name: string, text: string | undefined, place: Place = 'localStorage'): boolean {
  try {
    if (text === undefined) globalThis[place].removeItem(name)
    else globalThis[place].setItem(name, text)
    return true
  } catch {
    return false // it is forgotten with the page
  }
}

/** Forgets what this window remembers under names that begin with a text. */
export function forgetInWindow(prefix: string): void {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name)
  } catch {
    // There is nothing.
  }
}
