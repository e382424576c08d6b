import type { Command } from 'commander'
import { insertSetupLink, setupHours } from '../access/setup-link.ts'
import { setupPath } from '../console/setup.ts'
import { withStore } from './open-store.ts'
import { type LinkOptions, printLink } from './print-link.ts'
import { administer, dataOf, withSettings } from './program.ts'

export function setupLinkCommand(): Command {
  const about = 'create a link for the first user to sign up with; invalidates earlier links'
  return withSettings(administer('setup-link', about), ['publicUrl']).action(setupLink)
}

async function setupLink(options: LinkOptions): Promise<void> {
  const { token, expires_at } = await withStore(dataOf(options), (store) => store.writeAccess(insertSetupLink))
  const until = `It works once, within ${setupHours} hours`
  printLink(options, setupPath(token), { purpose: 'create the first user', until, more: { expires_at } })
}
