import { account } from './account.ts'
import { agents } from './agents.ts'
import { changes } from './changes.ts'
import { commands } from './commands.ts'
import { correspondence } from './correspondence.ts'
import { deals } from './deals.ts'
import { general } from './general.ts'
import { imports } from './imports.ts'
import { keys } from './keys.ts'
import { labels } from './labels.ts'
import { lists } from './lists.ts'
import { mailInbox } from './mail-inbox.ts'
import { mailMessages } from './mail-messages.ts'
import { patternOf } from './pattern.ts'
import { records } from './records.ts'
import { refusals } from './refusals.ts'
import { reports } from './reports.ts'
import { server } from './server.ts'
import { settings } from './settings.ts'
import { tasks } from './tasks.ts'
import { things } from './things.ts'
import { webhooks } from './webhooks.ts'

/** The German texts by the English ones. */
export const german = {
  ...account,
  ...agents,
  ...changes,
  ...commands,
  ...correspondence,
  ...deals,
  ...general,
  ...imports,
  ...keys,
  ...labels,
  ...lists,
  ...mailInbox,
  ...mailMessages,
  ...records,
  ...refusals,
  ...reports,
  ...server,
  ...settings,
  ...tasks,
  ...things,
  ...webhooks,
} as const
Object.setPrototypeOf(german, null) // anybody may be called "constructor"

/** The messages of the server that have a German text, the special ones first. */
export const serverTexts = Object.keys({ ...mailMessages, ...refusals, ...server }) as (
  | keyof typeof mailMessages
  | keyof typeof refusals
  | keyof typeof server
)[]

const texts: Readonly<Record<string, string>> = german

/** The values that the server's messages have in lower case. */
const lowered = ['key', 'status', 'things']

/** A message of the server, which speaks English. In English if there is no text for it. */
export function inGerman(message: string): string {
  const whole = texts[message]
  if (whole !== undefined) return whole
  for (const text of serverTexts) {
    const values = patternOf(text).exec(message)?.groups
    if (values) return texts[text]!.replace(/\{(\w+)\}/g, (_, name: string) => valueText(name, values[name]!))
  }
  return message
}

/** What varies in a message: a label, a number, or a name that users have chosen. */
function valueText(name: string, value: string): string {
  if (name === 'name') return value
  if (name === 'reason') return inGerman(value)
  if (/^-?\d{5,}$/.test(value)) return Number(value).toLocaleString('de')
  const isLowered = lowered.includes(name) && /^[a-z ]+$/.test(value)
  const label = isLowered ? value.charAt(0).toUpperCase() + value.slice(1) : value
  return texts[label] ?? label
}
