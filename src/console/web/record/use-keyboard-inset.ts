import { useEffect } from 'preact/hooks'

/** Keeps `--keyboard` of an element as the height of the on-screen keyboard, which covers the bottom of the window. */
export function useKeyboardInset(element: { current: HTMLElement | null }): void {
  useEffect(() => {
    const visible = window.visualViewport
    if (!visible) return
    const measure = () => {
      const hidden = visible.scale === 1 ? innerHeight - visible.height - visible.offsetTop : 0
      element.current?.style.setProperty('--keyboard', `${Math.max(0, Math.round(hidden))}px`)
    }
    const held = new AbortController()
    for (const type of ['resize', 'scroll']) visible.addEventListener(type, measure, { signal: held.signal })
    return () => held.abort()
  }, [])
}
