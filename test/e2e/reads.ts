import type { Page, Request, Response } from 'playwright-core'

/** The paths with queries that a request reads: its own, or those that `/console/read` names. */
export function targetsOf(address: string | URL): string[] {
  const { pathname, search, searchParams } = new URL(address)
  return pathname === '/console/read' ? searchParams.getAll('get') : [pathname + decodeURIComponent(search)]
}

/** Whether a request reads a path that matches, alone or together with others. */
export function reads(pattern: RegExp): (address: URL) => boolean {
  return (address) => targetsOf(address).some((target) => pattern.test(target))
}

/** The next response to a request that reads a path that matches. */
export function waitForRead(page: Page, pattern: RegExp): Promise<Response> {
  return page.waitForResponse((response) => reads(pattern)(new URL(response.url())))
}

/** The first path of a request that matches. */
export function targetOf(request: Request, pattern: RegExp): string {
  return targetsOf(request.url()).find((target) => pattern.test(target))!
}

interface Part {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the tests know the shape
  body: any
}

/** Changes the responses for the paths that match, alone or together with others. Returns a function that stops it. */
export async function alterReads(
  page: Page,
  pattern: RegExp,
  change: (part: Part) => Part,
): Promise<() => Promise<void>> {
  const matches = reads(pattern)
  await page.route(matches, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const body = await response.json()
    const targets = targetsOf(route.request().url())
    const isAlone = !Array.isArray(body.data) || !route.request().url().includes('/console/read?')
    if (isAlone) {
      const { status, body: json } = change({ status: response.status(), body })
      return route.fulfill({ status, json })
    }
    const data = body.data.map((part: Part, at: number) => (pattern.test(targets[at]!) ? change(part) : part))
    return route.fulfill({ response, json: { data } })
  })
  return () => page.unroute(matches)
}
