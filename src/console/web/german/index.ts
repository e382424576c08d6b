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
import { records } from './records.ts'
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
  ...reports,
  ...server,
  ...settings,
  ...tasks,
  ...things,
  ...webhooks,
} as const

/** The messages of the server that have a German text, the special ones first. */
export const serverTexts = Object.keys({ ...mailMessages, ...server }) as (
  | keyof typeof mailMessages
  | keyof typeof server
)[]
