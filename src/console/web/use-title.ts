import { useEffect } from 'preact/hooks'
import { environmentOf } from './place.ts'

/** What the window is called. */
export function useTitle(title: string): void {
  useEffect(() => {
    const mark = environmentOf(location.pathname) === 'test' ? '[Test] ' : ''
    document.title = `${mark}${title} · Kontor`
  }, [title])
}
