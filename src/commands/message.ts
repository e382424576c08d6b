import type { Command } from 'commander'
import { listWorkspaceIds } from '../access/company.ts'
import { adoptNext } from '../features/mail/adopt.ts'
import { withStore } from './open-store.ts'
import { print } from './print.ts'
import { administer, type CommonOptions, command, dataOf } from './program.ts'

interface AdoptOptions extends CommonOptions {
  from: string
  to: string
}

export function messageCommand(): Command {
  const message = command('message', 'give messages to another user')
  message.addCommand(
    administer(
      'adopt',
      'give the messages that only deactivated users see, one of them the first user, to the second user',
    )
      .requiredOption('--from <id>', 'the deactivated user')
      .requiredOption('--to <id>', 'a user of the same company')
      .action(adopt),
  )
  return message
}

async function adopt({ from, to, ...options }: AdoptOptions): Promise<void> {
  const messages = await withStore(dataOf(options), async (store) => {
    let count = 0
    for (const id of listWorkspaceIds(store.access)) {
      for (let adopted = 1; adopted > 0; count += adopted) {
        adopted = await store.write(id, (tx) => adoptNext(tx, from, to))
      }
    }
    return count
  })
  print(options.json, { messages }, `Messages: ${messages}`)
}
