import type { Command } from 'commander'
import { logSettings } from '../config/log-settings.ts'
import { type Given, readConfig } from '../config.ts'
import { print, table } from './print.ts'
import { administer, type CommonOptions, dataOf, withSettings } from './program.ts'

export function logCommand(): Command {
  const about = 'begin a new log with the database of this directory; no server of the log may run'
  const reset = withSettings(administer('reset', about), logSettings)
  return administer('log', 'show the log that several servers share: who leads, and how far each server is behind')
    .action(show)
    .addCommand(reset.action(resetOwn))
}

async function show(options: CommonOptions): Promise<void> {
  const { describeLog } = await import('../cluster/describe.ts')
  const found = await describeLog(dataOf(options))
  const { leader, epoch, position, bytes, nodes } = found
  const rows = nodes.map((node) => [
    node.url === leader ? 'leads' : 'follows',
    node.url,
    String(node.position),
    String(node.behind),
    node.version,
  ])
  const lines = [
    `Leader: ${leader ?? 'none'} (epoch ${epoch}), position ${position}, ${bytes} bytes`,
    table([['ROLE', 'URL', 'POSITION', 'BEHIND', 'VERSION'], ...rows]),
  ]
  print(options.json, found, lines.join('\n'))
}

/** Its options may also have been given to the command that it belongs to. */
async function resetOwn(_own: CommonOptions, called: Command): Promise<void> {
  const options = called.optsWithGlobals<CommonOptions>()
  const { resetLog } = await import('../cluster/reset.ts')
  const { givenSettings } = await import('../cluster/options.ts')
  const given = givenSettings(readConfig(logSettings, options as unknown as Given, process.env))
  const directory = dataOf(options)
  const { lock } = await import('../store/lock.ts')
  const release = lock(directory)
  try {
    await resetLog(directory, given)
  } finally {
    release()
  }
  const next = 'Start this server first, then the others with empty data directories.'
  print(options.json, { reset: true }, `The next start begins a new log. ${next}`)
}
