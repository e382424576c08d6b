import type { Environment } from '../../../access/company.ts'

/** The address under which users reach the console, without a slash at the end: that of `--public-url`, or this page's. */
export const publicUrl = document.documentElement.dataset.publicUrl ?? location.origin

/** The path of the public URL, which all pages, files and requests are below: `/crm`, or empty. */
const base = new URL(publicUrl).pathname.replace(/\/$/, '')

/** The test workspace has the same pages as the live one, below `/test`. */
const testPath = /^\/test(?=\/|$)/

export function environmentOf(path: string): Environment {
  return testPath.test(withoutBase(path)) ? 'test' : 'live'
}

/** The path of a page in the current workspace. */
export function href(page: string): string {
  return inEnvironment(page, environmentOf(location.pathname))
}

export function inEnvironment(page: string, environment: Environment): string {
  if (environment === 'live') return base + page
  return page === '/' ? `${base}/test` : `${base}/test${page}`
}

/** The path of a file or an endpoint of the server. */
export function onServer(path: string): string {
  return base + path
}

/** A path without its workspace. */
export function pageOf(path: string): string {
  return withoutBase(path).replace(testPath, '') || '/'
}

/** The page of the list that a path is of: the one that exists in both workspaces. */
export function listPath(path: string): string {
  return `/${pageOf(path).split('/')[1]}`
}

/** Mends an address that cannot be decoded, such as `/deals/100%`: no page has it, but this one can say so. */
export function mendAddress(): void {
  const { pathname, search, hash } = location
  try {
    decodeURIComponent(pathname)
  } catch {
    history.replaceState(history.state, '', `${pathname.replaceAll('%', '%25')}${search}${hash}`)
  }
}

/** Moves an address that is not below the public URL's path there: that of a window that was opened without the proxy. */
export function moveBelowBase(): void {
  const { pathname, search, hash } = location
  if (!isBelowBase(pathname))
    history.replaceState(history.state, '', `${inEnvironment(pathname, 'live')}${search}${hash}`)
  else if (pathname === base) history.replaceState(history.state, '', `${base}/${search}${hash}`)
}

function withoutBase(path: string): string {
  return isBelowBase(path) ? path.slice(base.length) : path
}

function isBelowBase(path: string): boolean {
  return path === base || path.startsWith(`${base}/`)
}
