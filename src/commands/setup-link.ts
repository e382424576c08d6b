import type { Command } from 'commander'
import { insertSetupLink, setupHours } from '../access/setup-link.ts'
import { readConfig } from '../config.ts'
import { setupPath } from '../console/setup.ts'
import { withStore } from './open-store.ts'
import { print } from './print.ts'
import { administer, type CommonOptions, dataOf, withSettings } from './program.ts'

type SetupLinkOptions = CommonOptions & { publicUrl?: string }

export function setupLinkCommand(): Command {
  const about = 'create a link for the first user to sign up with; invalidates earlier links'
  return withSettings(administer('setup-link', about), ['publicUrl']).action(setupLink)
}

async function setupLink(options: SetupLinkOptions): Promise<void> {
  const { publicUrl } = readConfig(['publicUrl'], { publicUrl: options.publicUrl }, process.env)
  const { token, expires_at } = await withStore(dataOf(options), (store) => store.writeAccess(insertSetupLink))
  const path = setupPath(token)
  const url = publicUrl && `${publicUrl.href}${path}`
  const what = url ? 'link' : 'path on the server'
  const lines = `Open this ${what} to create the first user. It works once, within ${setupHours} hours:\n\n  ${url ?? path}`
  print(options.json, { path, ...(url && { url }), expires_at }, lines)
}
