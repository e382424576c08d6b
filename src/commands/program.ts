import { Command, InvalidArgumentError, Option } from 'commander'
import { requestsMax } from '../access/plan.ts'
import { type Defaults, readConfig, type SettingName, settings } from '../config.ts'

/** Options of every administrative command. */
export interface CommonOptions {
  data: string
  json?: boolean
}

/** A command that exits with code 2 on wrong usage (decision F3). */
export function command(name: string, about: string): Command {
  return new Command(name).description(about).exitOverride().showHelpAfterError('(run with --help for usage)')
}

/** An administrative command. It works on a data directory, even while a server runs on it. */
export function administer(name: string, about: string): Command {
  return withSettings(command(name, about), ['data']).option('--json', 'print one JSON object')
}

/** Adds settings as options. The help shows their defaults (`defaults` overrides them) and environment variables. */
export function withSettings(to: Command, names: readonly SettingName[], defaults: Defaults = {}): Command {
  for (const name of names) {
    const { flag, env, about } = settings[name]
    if (flag === '') continue
    const fallback = defaults[name] ?? settings[name].default
    to.addOption(new Option(flag, `${about} (default: ${fallback || 'none'}; env: ${env})`).preset('on'))
  }
  return to
}

/** For commands that create a database. */
export function initOption(): Option {
  return new Option('--init', 'treat an empty database file in an otherwise empty directory as a new database')
}

export function dataOf(options: { data?: string }): string {
  return readConfig(['data'], options, process.env).data
}

/** `a,b` as a list. */
export function list(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

/** A maximum: an integer from 0, or `none` for no limit. (Commander treats null as no value.) */
export function limit(text: string): number | 'none' {
  return text === 'none' ? text : integer(text, 0, 1e12, ', or none')
}

/** `on` or `off`. */
export function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('It must be on or off.')
  return text === 'on'
}

/** A number of requests: an integer from 1. */
export function requests(text: string): number {
  return integer(text, 1, requestsMax)
}

function integer(text: string, min: number, max: number, others = ''): number {
  if (/^\d{1,13}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text)
  throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}${others}.`)
}
