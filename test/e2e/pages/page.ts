import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'

const root = new URL('../../../', import.meta.url).pathname

/** What a reader copies into a terminal at once: a block of commands, or a command of a `console` block. */
export interface Unit {
  /** Such as `docs/export.md:37`. */
  place: string
  /** The nearest heading above it; empty above the first one. */
  heading: string
  command: string
  /** What the page shows of the output; undefined for blocks that show none. */
  shown?: string
}

const others = 'ts|js|json|python|go|yaml|toml|nginx|http|text|tools'

/** Every page of the project, with its units in order. */
export function pagesWithCommands(): [page: string, units: Unit[]][] {
  const pages = globSync(['*.md', '{docs,deploy,examples}/**/*.md'], { cwd: root, exclude: ['**/node_modules/**'] })
  return pages
    .sort()
    .map((page): [string, Unit[]] => [page, unitsOf(page, readFileSync(root + page, 'utf8'))])
    .filter(([, units]) => units.length > 0)
}

/** The units of a page's text. Fails if commands are in a block where no test runs them. */
export function unitsOf(page: string, text: string): Unit[] {
  return [...text.matchAll(/^( *)```(.*)\n([\s\S]*?)^ *```$/gm)].flatMap(
    ({ 1: indent, 2: language, 3: code, index }) => {
      const above = text.slice(0, index)
      const place = `${page}:${above.split('\n').length}`
      const heading = [...above.matchAll(/^##+ (.*)$/gm)].at(-1)?.[1] ?? ''
      const block = code!.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      if (language === 'sh') return [{ place, heading, command: block }]
      if (language === 'console') return promptsOf(block).map((prompt) => ({ place, heading, ...prompt }))
      assert.match(language!, new RegExp(`^(${others})?$`), `${place}: commands are in blocks of sh or console`)
      assert.doesNotMatch(
        block,
        /^\s*(\$ |sudo |kontor [a-z]|npx |curl )/m,
        `${place}: commands are in blocks of sh or console`,
      )
      return []
    },
  )
}

/** The commands of a block that shows what they print. A command ends with the first line that neither continues nor is in quotes. */
function promptsOf(block: string): { command: string; shown: string }[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const lines = part.split('\n')
      const isWhole = (text: string) => !text.endsWith('\\') && text.split("'").length % 2 === 1
      const end = lines.findIndex((_, at) => isWhole(lines.slice(0, at + 1).join('\n')))
      return { command: lines.slice(0, end + 1).join('\n'), shown: lines.slice(end + 1).join('\n') }
    })
}
