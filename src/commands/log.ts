import type { Command } from 'commander'
import { print, table } from './print.ts'
import { administer, type CommonOptions, dataOf } from './program.ts'

export function logCommand(): Command {
  const reset = administer('reset', 'begin a new log with the database of this directory; no server of the log may run')
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
  const directory = dataOf(options)
  const { lock } = await import('../store/lock.ts')
  const release = lock(directory)
  try {
    await resetLog(directory)
  } finally {
    release()
  }
  const next = 'Start this server first, then the others with empty data directories.'
  print(options.json, { reset: true }, `The next start begins a new log. ${next}`)
}
