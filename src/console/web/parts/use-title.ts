import { useEffect } from 'preact/hooks'
import { environmentOf } from '../session/place.ts'

/** Sets the window's title. */
export function useTitle(title: string): void {
  useEffect(() => {
    const mark = environmentOf(location.pathname) === 'test' ? '[Test] ' : ''
    document.title = `${mark}${title} · Kontor`
  }, [title])
}
