import { globSync } from 'node:fs'
import type { Command } from 'commander'

const root = new URL('../../', import.meta.url).pathname

/** The subcommands of `kontor`, by name. */
export async function loadCommands(): Promise<Map<string, Command>> {
  const modules = await Promise.all(
    globSync('src/commands/**/*.ts', { cwd: root }).map((path) => import(`${root}${path}`)),
  )
  const factories = modules.flatMap((module) => Object.entries(module)).filter(([name]) => name.endsWith('Command'))
  const commands = factories.map(([, create]) => (create as () => Command)())
  return new Map(commands.map((command) => [command.name(), command]))
}

/** A command that does something, and the words that call it. */
export interface Leaf {
  words: string[]
  command: Command
}

/** The commands that do something: `company create`, not `company`. */
export function leavesOf(commands: Iterable<Command>, before: readonly string[] = []): Leaf[] {
  return [...commands].flatMap((command) => {
    const words = [...before, command.name()]
    const below = leavesOf(command.commands, words)
    const acts = below.length === 0 || command.name() === 'log'
    return acts ? [{ words, command }, ...below] : below
  })
}
