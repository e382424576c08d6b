import { useLocation, useRoute } from 'preact-iso/router'

/**
 * The address of a page. Until the script of the next page has arrived, the former one stays: it shows what it has shown, and the address is no
 * longer its own to change, even when a request ends that it sent before.
 */
export function usePlace(): Pick<ReturnType<typeof useLocation>, 'url' | 'path' | 'query' | 'route'> {
  const { path, query } = useRoute()
  const { url, route } = useLocation()
  const isOwn = () => (location.pathname.replace(/\/+$/, '') || '/') === path
  return { url, path, query, route: (to, replace) => isOwn() && route(to, replace) }
}
