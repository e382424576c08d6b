import * as v from 'valibot'
import { parseServerUrl } from './web-url.ts'

/** The address under which clients reach the server. Neither text ends with a slash. */
export interface PublicUrl {
  /** `https://example.com/crm` */
  href: string
  /** `/crm`; empty without a path. */
  path: string
}

const form = /^https?:\/\/[^/\\?#@\s]+((?:\/[\w.~-]+)*)\/?$/i
const message =
  'must be an http or https URL without a query, such as https://crm.example.com or https://example.com/crm'

/** Paths at which the server would not know whether a proxy has removed the path of the public URL. */
const own = /^\/(?:api-v1-|(?:assets|calendar|console|docs|healthz|readyz|openapi\.json|llms\.txt)(?:\/|$))/

/** A public URL; undefined if empty. */
export const publicUrl = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(500, 'must have at most 500 characters'),
  v.check((text) => text === '' || (form.test(text) && parseServerUrl(text) !== undefined), message),
  v.transform((text) => (text === '' ? undefined : split(text))),
  v.check((url) => !own.test(url?.path ?? ''), 'must not have a path that Kontor uses itself, such as /docs'),
)

function split(text: string): PublicUrl {
  const { origin, pathname } = new URL(text)
  const path = pathname.replace(/\/$/, '')
  return { href: origin + path, path }
}
