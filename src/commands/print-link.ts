import { readConfig } from '../config.ts'
import { print } from './print.ts'
import type { CommonOptions } from './program.ts'

export type LinkOptions = CommonOptions & { publicUrl?: string }

interface Purpose {
  /** `create the first user` */
  purpose: string
  /** How often and how long it works, as a sentence without its full stop. */
  until: string
  /** Other members of the JSON. */
  more?: Record<string, unknown>
}

/** Prints a link to a page of the console, or only its path if the public URL is not set. */
export function printLink(
  { json, publicUrl: given }: LinkOptions,
  path: string,
  { purpose, until, more }: Purpose,
): void {
  const { publicUrl } = readConfig(['publicUrl'], { publicUrl: given }, process.env)
  const url = publicUrl && `${publicUrl.href}${path}`
  const what = url ? 'link' : 'path on the server'
  print(json, { path, ...(url && { url }), ...more }, `Open this ${what} to ${purpose}. ${until}:\n\n  ${url ?? path}`)
}
