import { useLocation, useRoute } from 'preact-iso/router'

/**
 * The address of a page. Until the script of the next page has arrived, the former one stays: it shows what it has shown, and the address is no
 * longer its own to change.
 */
export function usePlace(): Pick<ReturnType<typeof useLocation>, 'url' | 'path' | 'query' | 'route'> {
  const { path, query } = useRoute()
  const { path: shown, url, route } = useLocation()
  return { url, path, query, route: (to, replace) => shown === path && route(to, replace) }
}
