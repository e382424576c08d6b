import type { Page } from 'playwright-core'
import { follow, idle, openPage } from '../support/page.ts'

/** The keys that open something on every page. */
const keys = ['Control+k', '?', 'l']

/**
 * Presses each button of some pages, those with the same name once, and calls `visit` with its place and name if a dialog or a menu has opened.
 * Records may change meanwhile.
 */
export async function visitDialogs(page: Page, paths: readonly string[], visit: (what: string) => Promise<void>) {
  const pressed = new Set<string>()
  await openPage(page, paths[0]!)
  for (const path of paths) {
    await follow(page, path)
    for (;;) {
      const name = await focusOther(page, pressed)
      if (name === undefined) break
      pressed.add(name)
      await page.keyboard.press('Enter')
      await visitOpen(page, `${path}: ${name}`, visit)
      if (!page.url().endsWith(path)) await returnTo(page, path)
    }
  }
  for (const key of keys) {
    await page.keyboard.press(key)
    await visitOpen(page, key, visit)
  }
}

/** Goes back within the page, which takes a third of loading it; loads it if that leads elsewhere. */
async function returnTo(page: Page, path: string): Promise<void> {
  await page.goBack()
  await idle(page)
  if (!page.url().endsWith(path)) await openPage(page, path)
}

const buttons = ':is(main, header) button[type="button"]:not(.menu-button)'
const opened = 'dialog[open], :popover-open'

/** Focuses the first button that can be pressed and has another name than these. Returns its name. */
function focusOther(page: Page, names: ReadonlySet<string>): Promise<string | undefined> {
  return page.locator(buttons).evaluateAll(
    (elements, names) => {
      const nameOf = (each: (typeof elements)[number]) =>
        (each.getAttribute('aria-label') ?? each.textContent ?? '').trim()
      const other = elements.find(
        (each) =>
          !names.includes(nameOf(each)) &&
          each.matches(':not(:disabled)') &&
          each.checkVisibility({ visibilityProperty: true }) &&
          !each.closest('[inert], dialog, [popover]'),
      )
      ;(other as { focus(): void } | undefined)?.focus()
      return other && nameOf(other)
    },
    [...names],
  )
}

async function visitOpen(page: Page, what: string, visit: (what: string) => Promise<void>): Promise<void> {
  await idle(page)
  const open = page.locator(opened)
  if ((await open.count()) === 0) return
  await visit(what)
  await page.keyboard.press('Escape')
  await open
    .first()
    .waitFor({ state: 'detached' })
    .catch(() => page.reload())
  await idle(page)
}
