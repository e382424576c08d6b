import type { Environment } from '../../access/company.ts'

/** The test workspace has the same pages as the live one, below `/test`. */
const testPath = /^\/test(?=\/|$)/

export function environmentOf(path: string): Environment {
  return testPath.test(path) ? 'test' : 'live'
}

/** The path of a page in the current workspace. */
export function href(page: string): string {
  return inEnvironment(page, environmentOf(location.pathname))
}

export function inEnvironment(page: string, environment: Environment): string {
  if (environment === 'live') return page
  return page === '/' ? '/test' : `/test${page}`
}

/** A path without its workspace. */
export function pageOf(path: string): string {
  return path.replace(testPath, '') || '/'
}
