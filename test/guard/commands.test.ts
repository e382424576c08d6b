import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Command } from 'commander'
import { loadCommands } from './commands.ts'

const root = new URL('../../', import.meta.url).pathname
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: root })]

/** The lines of the shell blocks of a page; a line that ends with a backslash continues on the next. */
function shellLines(page: string): string[] {
  const blocks = [...readFileSync(`${root}${page}`, 'utf8').matchAll(/^ *```(?:sh|console)\n([\s\S]*?)^ *```/gm)]
  return blocks.flatMap(([, block]) => block!.replace(/\\\n/g, ' ').split('\n'))
}

/** The commands that a page names in its sentences. */
function codeIn(page: string): string[] {
  const text = readFileSync(`${root}${page}`, 'utf8').replace(/^ *```[\s\S]*?^ *```/gm, '')
  return [...text.matchAll(/`(kontor [a-z][^`]*)`/g)].map(([, code]) => code!)
}

/** The problem with a call of `kontor`, given the words after it; undefined if there is none. */
function problemOf(commands: Map<string, Command>, words: string[]): string | undefined {
  let command = commands.get(words[0] ?? '')
  if (!command) return `no command ${words[0]}`
  for (const sub of command.commands) if (sub.name() === words[1]) command = sub
  const known = ['--help', '--version', ...command.options.map(({ long }) => long)]
  const unknown = words.filter((word) => word.startsWith('--') && !known.includes(word))
  return unknown.length > 0 ? `${command.name()} has no ${unknown.join(', ')}` : undefined
}

/** Matches a call, up to the character that ends a command in a shell. */
const kontor = /(?:^|[\s/])kontor ([a-z][a-z-]*(?: [^|;&#>]*)?)/
const otherPrograms = /^ *(?:claude|install|systemctl|docker|journalctl|litestream) /

test('Every call of kontor in the documentation names a command and options that exist', async () => {
  const commands = await loadCommands()
  const calls = pages.flatMap((page) =>
    [...shellLines(page), ...codeIn(page)].flatMap((line) => {
      const [, call] = kontor.exec(line) ?? []
      return call && !otherPrograms.test(line) ? [{ page, words: call.split(/\s+/) }] : []
    }),
  )
  const wrong = calls.flatMap(({ page, words }) => {
    const problem = problemOf(commands, words)
    return problem ? [`${page}: kontor ${words.join(' ')}: ${problem}`] : []
  })

  assert.ok(calls.length > 20)
  assert.deepEqual(wrong, [])
})
