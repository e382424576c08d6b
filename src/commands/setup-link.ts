import type { Command } from 'commander'
import { insertSetupLink, setupHours } from '../access/setup-link.ts'
import { setupPath } from '../console/setup.ts'
import { withStore } from './open-store.ts'
import { print } from './print.ts'
import { administer, type CommonOptions, dataOf } from './program.ts'

export function setupLinkCommand(): Command {
  return administer('setup-link', 'create a link for the first user to sign up with; invalidates earlier links').action(
    setupLink,
  )
}

async function setupLink(options: CommonOptions): Promise<void> {
  const { token, expires_at } = await withStore(dataOf(options), (store) => store.writeAccess(insertSetupLink))
  const path = setupPath(token)
  const lines = `Open this path on the server to create the first user. It works once, within ${setupHours} hours:\n\n  ${path}`
  print(options.json, { path, expires_at }, lines)
}
