import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { idle } from '../support/page.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string }[]
}

/** The violations that axe finds on the page, one line each. `rules` limits the rules that it checks. */
export async function violationsOn(page: Page, rules?: string[]): Promise<string[]> {
  await idle(page)
  if (await page.evaluate('!globalThis.axe')) await page.evaluate(axe)
  const options = { resultTypes: ['violations'], selectors: false, ...(rules && { runOnly: rules }) }
  const violations: Violation[] = await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
