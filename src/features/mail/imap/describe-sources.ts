import type { Describer, Description, JsonSchema } from '../../../engine/records/describe.ts'
import { mailSource } from './mail-source.ts'

const visible = 'Mailboxes of users are shown to them and to admins.'
const noMail = { FEATURE_NOT_ENABLED: 'The server takes no mail: it shares a log and has no `--files`.' }
const password = { type: 'string', minLength: 1, maxLength: 1_000, writeOnly: true, description: 'Is never shown.' }

export function describeList(doc: Describer): Description {
  return { ...doc.operation(mailSource, 'list'), details: visible }
}

export function describeGet(doc: Describer): Description {
  return { ...doc.operation(mailSource, 'get'), details: visible }
}

export function describeCreate(doc: Describer): Description {
  const { body, ...rest } = doc.operation(mailSource, 'create')
  return { ...rest, body: withPassword(body, true), details: 'Only admins create mailboxes of others.', errors: noMail }
}

export function describePatch(doc: Describer): Description {
  const { body, ...rest } = doc.operation(mailSource, 'patch')
  const details = 'A new `host`, `port`, `tls` or `user` needs the `password`, too.'
  return { ...rest, body: withPassword(body, false), details, errors: noMail }
}

export function describeDelete(doc: Describer): Description {
  return { ...doc.operation(mailSource, 'delete'), details: 'What it has brought stays.' }
}

function withPassword(body: JsonSchema | undefined, isRequired: boolean): JsonSchema {
  const own = { type: 'object', properties: { password }, ...(isRequired && { required: ['password'] }) }
  return { allOf: [body, own] }
}
