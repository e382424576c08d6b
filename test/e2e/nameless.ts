import type { Page } from 'playwright-core'

/** The controls of a page that a user sees, but not what they are for: they show neither a text nor a picture. */
export function namelessOn(page: Page): Promise<string[]> {
  return page.evaluate(`(${nameless})()`)
}

/** The same as the page shows with forced colors. */
export async function namelessWithForcedColors(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' })
  const found = await namelessOn(page)
  await page.emulateMedia({ forcedColors: null })
  return found.map((control) => `with forced colors: ${control}`)
}

const nameless = `() => {
  const isSeen = ({ width, height }) => width > 1 && height > 1
  const textsOf = (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const found = []
    while (walker.nextNode()) found.push(walker.currentNode)
    return found.filter((text) => text.data.trim() !== '')
  }
  const showsText = (element) =>
    textsOf(element).some((text) => {
      const range = document.createRange()
      range.selectNodeContents(text)
      const { fontSize, visibility, clipPath } = getComputedStyle(text.parentElement)
      const isShown = Number.parseFloat(fontSize) > 4 && visibility === 'visible' && !clipPath.includes('50%')
      return isShown && isSeen(range.getBoundingClientRect())
    })
  const showsPicture = (element) =>
    [...element.querySelectorAll('svg, img')].some((each) => isSeen(each.getBoundingClientRect()))
  return [...document.querySelectorAll('a[href], button, summary, [role="tab"], [role="button"]')]
    .filter((each) => isSeen(each.getBoundingClientRect()) && getComputedStyle(each).visibility === 'visible')
    .filter((each) => !each.closest('.unseen') && !showsText(each) && !showsPicture(each))
    .map((each) => each.outerHTML.slice(0, 120))
}`
